//! A set of small numbers.

/// A set of small numbers, one bit for each up to the largest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitSet(Vec<u64>);

/// The index of a number's word, and its bit in the word.
const fn place(number: u32) -> (usize, u64) {
    ((number / u64::BITS) as usize, 1 << (number % u64::BITS))
}

impl BitSet {
    pub(crate) fn insert(&mut self, number: u32) {
        let (index, bit) = place(number);
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        if let Some(word) = self.0.get_mut(index) {
            *word |= bit;
        }
    }

    pub(crate) fn contains(&self, number: u32) -> bool {
        let (index, bit) = place(number);
        self.0.get(index).is_some_and(|word| word & bit != 0)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Adds the numbers of another set.
    pub(crate) fn add(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, others) in self.0.iter_mut().zip(&other.0) {
            *word |= others;
        }
    }

    /// Removes the numbers of another set.
    pub(crate) fn remove(&mut self, other: &Self) {
        for (word, others) in self.0.iter_mut().zip(&other.0) {
            *word &= !others;
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// The numbers in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().zip(0..).flat_map(|(&word, index)| {
            let bits = (0..u64::BITS).filter(move |bit| word >> bit & 1 != 0);
            bits.map(move |bit| index * u64::BITS + bit)
        })
    }
}

impl FromIterator<u32> for BitSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = Self::default();
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::BitSet;

    #[test]
    fn a_set_has_the_numbers_that_were_added_and_not_removed() {
        let mut set: BitSet = [200, 3, 64].into_iter().collect();
        set.add(&[5, 3].into_iter().collect());
        set.remove(&[200, 300].into_iter().collect());
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 5, 64]);
        assert!(set.contains(64) && !set.contains(200) && !set.contains(6_400));
        assert_eq!(set, [3, 5, 64].into_iter().collect());
        set.remove(&set.clone());
        assert!(set.is_empty());
    }
}
