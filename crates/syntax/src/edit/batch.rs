/// Adds to changes that hold together those of others that hold with them: all at once, or else those of each half. `holds` says
/// whether some changes hold together. So thousands of changes that are independent take one proof, and each that does not hold a
/// few more.
///
/// ```
/// use voxlint_syntax::edit::hold_together;
///
/// let mut kept = Vec::new();
/// let holds = |some: &[u32]| some.iter().sum::<u32>() <= 6;
/// hold_together(&mut kept, &[1, 2, 9, 3, 4], &mut { holds });
/// assert_eq!(kept, [1, 2, 3]);
/// ```
pub fn hold_together<T: Copy>(kept: &mut Vec<T>, some: &[T], holds: &mut dyn FnMut(&[T]) -> bool) {
    if some.is_empty() {
        return;
    }
    let before = kept.len();
    kept.extend(some);
    if holds(kept) {
        return;
    }
    kept.truncate(before);
    let (first, second) = some.split_at(some.len() / 2);
    if !first.is_empty() {
        hold_together(kept, first, holds);
        hold_together(kept, second, holds);
    }
}
