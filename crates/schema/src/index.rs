/// The most rows that a table can have: a set of rows is one bit each in a `u128`.
const MAX_ROWS: usize = 128;

/// A hash table from names to the indexes of their rows, built by the compiler.
///
/// Most names that are looked up are fields, and most others hit a free slot: either way one comparison is enough.
#[derive(Debug)]
pub(crate) struct NameIndex {
    /// The index of a row plus 1 in the slot that its name hashes to or in the next free one. 0 marks a free slot.
    slots: [u8; 256],
}

impl NameIndex {
    /// The index of these names, in the order of the rows.
    #[expect(
        clippy::indexing_slicing,
        reason = "a slot is a byte, and the compiler evaluates the rest"
    )]
    pub(crate) const fn new(names: &[&str]) -> Self {
        assert!(names.len() < MAX_ROWS, "a table has too many rows for a set of bits");
        let mut slots = [0; 256];
        let mut row = 0;
        while row < names.len() {
            let mut slot = hash(names[row].as_bytes());
            while slots[slot as usize] != 0 {
                slot = slot.wrapping_add(1);
            }
            slots[slot as usize] = row as u8 + 1;
            row += 1;
        }
        Self { slots }
    }

    /// The indexes of the rows that may have this name.
    pub(crate) fn candidates(&self, name: &str) -> impl Iterator<Item = usize> {
        let mut slot = hash(name.as_bytes());
        // At least half of the slots are free, so this ends.
        std::iter::from_fn(move || {
            let row = self.slots.get(usize::from(slot))?.checked_sub(1)?;
            slot = slot.wrapping_add(1);
            Some(usize::from(row))
        })
    }
}

/// A hash of the length and five letters: enough to tell the fields of a table apart.
#[expect(clippy::indexing_slicing, reason = "the indexes are less than the length, which is not 0")]
const fn hash(name: &[u8]) -> u8 {
    let length = name.len();
    if length == 0 {
        return 0;
    }
    let letters =
        [name[0], name[length / 4], name[length / 2], name[length / 4 * 3], name[length - 1]];
    let mut hash = length as u32;
    let mut at = 0;
    while at < letters.len() {
        hash = hash.wrapping_mul(31).wrapping_add(letters[at] as u32);
        at += 1;
    }
    (hash ^ (hash >> 8) ^ (hash >> 16)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DocumentKind;

    #[test]
    fn every_row_is_found_with_few_comparisons() {
        for kind in DocumentKind::ALL {
            let rows = kind.table().rows;
            let index = NameIndex::new(&rows.iter().map(|row| row.name).collect::<Vec<_>>());
            let comparisons = |row: usize, name: &str| {
                index.candidates(name).position(|candidate| candidate == row).expect("the row") + 1
            };
            let all: usize = (0..rows.len()).map(|row| comparisons(row, rows[row].name)).sum();
            assert!(all <= 2 * rows.len(), "{}: {all} comparisons", kind.name());
        }
    }
}
