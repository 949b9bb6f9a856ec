//! A small generator of random numbers (SplitMix64), so that the documents never change with a dependency.

/// Random numbers that depend only on the seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers for one of many things that share a seed.
    pub fn new(seed: u64, index: u64) -> Self {
        let mut random = Self(seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.draw();
        random
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below the limit, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.draw() % limit as u64) as usize
    }

    /// A number from the first to the last.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        first + self.below((last - first + 1) as usize) as i64
    }

    /// Whether something of this probability happens.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Some of the items, in their order.
    pub fn some<'a, T>(&mut self, items: &'a [T], count: usize) -> Vec<&'a T> {
        let mut left = count.min(items.len());
        let mut picked = Vec::with_capacity(left);
        for (index, item) in items.iter().enumerate() {
            if self.below(items.len() - index) < left {
                picked.push(item);
                left -= 1;
            }
        }
        picked
    }
}
