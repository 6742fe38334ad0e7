//! Columns under construction in which nulls cost nothing.
//!
//! A value is put into a row; skipped rows are null. A column that is nearly always empty (such as a problem column of
//! a valid sitemap) is therefore never touched, whereas Arrow's own builders need every null appended.

use std::sync::Arc;

use arrow_array::builder::{ArrayBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{ArrayRef, ListArray, PrimitiveArray, StringArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field};

/// Which rows of a column are null.
#[derive(Default)]
enum Nulls {
    /// There are no rows, or all of them are null.
    #[default]
    All,
    None,
    Mixed(BooleanBufferBuilder),
}

impl Nulls {
    /// Adds a value in the row after `rows`.
    #[inline(always)]
    fn push_valid(&mut self, rows: usize) {
        match self {
            Nulls::None => {}
            Nulls::Mixed(bits) => bits.append(true),
            Nulls::All => self.push_first(rows),
        }
    }

    /// Adds `count` nulls after `rows`.
    #[cold]
    fn push_nulls(&mut self, rows: usize, count: usize) {
        match self {
            Nulls::All => {}
            Nulls::Mixed(bits) => bits.append_n(count, false),
            Nulls::None => {
                let mut bits = BooleanBufferBuilder::new(2 * (rows + count));
                bits.append_n(rows, true);
                bits.append_n(count, false);
                *self = Nulls::Mixed(bits);
            }
        }
    }

    /// Adds the first value, or the first one after only nulls.
    #[cold]
    fn push_first(&mut self, rows: usize) {
        *self = if rows == 0 {
            Nulls::None
        } else {
            let mut bits = BooleanBufferBuilder::new(2 * rows + 64);
            bits.append_n(rows, false);
            bits.append(true);
            Nulls::Mixed(bits)
        };
    }

    fn finish(&mut self, rows: usize) -> Option<NullBuffer> {
        match std::mem::take(self) {
            Nulls::None => None,
            Nulls::All => (rows > 0).then(|| NullBuffer::new_null(rows)),
            Nulls::Mixed(mut bits) => Some(NullBuffer::new(bits.finish())),
        }
    }
}

/// A column of numbers.
#[derive(Default)]
pub struct Numbers<N: Default + Copy> {
    values: Vec<N>,
    nulls: Nulls,
}

pub type Int32Column = Numbers<i32>;
pub type Int64Column = Numbers<i64>;
pub type Float64Column = Numbers<f64>;

impl<N: Default + Copy> Numbers<N> {
    /// Puts a value into a row, which must come after the last one.
    #[inline(always)]
    pub fn put(&mut self, row: usize, value: N) {
        if self.values.len() < row {
            self.skip_to(row);
        }
        self.nulls.push_valid(row);
        self.values.push(value);
    }

    #[inline]
    pub fn put_option(&mut self, row: usize, value: Option<N>) {
        if let Some(value) = value {
            self.put(row, value);
        }
    }

    /// The values put so far; the default value for skipped rows.
    pub fn values(&self) -> &[N] {
        &self.values
    }

    #[cold]
    fn skip_to(&mut self, row: usize) {
        self.nulls.push_nulls(self.values.len(), row - self.values.len());
        self.values.resize(row, N::default());
    }

    fn finish_as<T: ArrowPrimitiveType<Native = N>>(&mut self, rows: usize) -> ArrayRef
    where
        N: arrow_buffer::ArrowNativeType,
    {
        let next = Vec::with_capacity(self.values.len());
        if self.values.len() < rows {
            self.skip_to(rows);
        }
        let values = ScalarBuffer::from(std::mem::replace(&mut self.values, next));
        Arc::new(PrimitiveArray::<T>::new(values, self.nulls.finish(rows)))
    }
}

impl Numbers<i32> {
    pub fn finish(&mut self, rows: usize) -> ArrayRef {
        self.finish_as::<Int32Type>(rows)
    }
}

impl Numbers<i64> {
    pub fn finish(&mut self, rows: usize) -> ArrayRef {
        self.finish_as::<Int64Type>(rows)
    }

    /// Finishes the column as microseconds since 1970.
    pub fn finish_instants(&mut self, rows: usize) -> ArrayRef {
        self.finish_as::<TimestampMicrosecondType>(rows)
    }
}

impl Numbers<f64> {
    pub fn finish(&mut self, rows: usize) -> ArrayRef {
        self.finish_as::<Float64Type>(rows)
    }
}

/// Builds a column without nulls.
pub fn full(values: &mut Vec<i32>) -> ArrayRef {
    let next = Vec::with_capacity(values.len());
    Arc::new(PrimitiveArray::<Int32Type>::new(
        ScalarBuffer::from(std::mem::replace(values, next)),
        None,
    ))
}

/// Builds a column that repeats one value.
pub fn repeated(value: i32, rows: usize) -> ArrayRef {
    full(&mut vec![value; rows])
}

/// A column of strings.
#[derive(Default)]
pub struct TextColumn {
    bytes: Vec<u8>,
    /// Start of each row in `bytes`, followed by the end of the last row; empty before the first row.
    offsets: Vec<i32>,
    nulls: Nulls,
}

impl TextColumn {
    /// Puts a string into a row, which must come after the last one.
    #[inline(always)]
    pub fn put(&mut self, row: usize, text: &str) {
        if self.offsets.len() <= row {
            self.skip_to(row);
        }
        self.bytes.extend_from_slice(text.as_bytes());
        self.nulls.push_valid(row);
        self.offsets.push(self.bytes.len() as i32);
    }

    #[inline]
    pub fn put_option(&mut self, row: usize, text: Option<&str>) {
        if let Some(text) = text {
            self.put(row, text);
        }
    }

    #[cold]
    fn skip_to(&mut self, row: usize) {
        let rows = self.offsets.len().saturating_sub(1);
        if rows < row {
            self.nulls.push_nulls(rows, row - rows);
        }
        // The first row starts at 0.
        self.offsets.resize(row + 1, self.bytes.len() as i32);
    }

    /// Bytes of text in the column.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    pub fn finish(&mut self, rows: usize) -> ArrayRef {
        assert!(
            self.bytes.len() <= i32::MAX as usize,
            "batches are handed out long before a column is this large"
        );
        let (next_bytes, next_offsets) = (
            Vec::with_capacity(self.bytes.len()),
            Vec::with_capacity(self.offsets.len()),
        );
        if self.offsets.len() <= rows {
            self.skip_to(rows);
        }
        let bytes = Buffer::from_vec(std::mem::replace(&mut self.bytes, next_bytes));
        let offsets = ScalarBuffer::from(std::mem::replace(&mut self.offsets, next_offsets));
        // SAFETY: every row was appended from a `str`, and its end was recorded. Offsets therefore start at 0 and never
        // decrease, and each range is valid UTF-8.
        Arc::new(unsafe {
            StringArray::new_unchecked(OffsetBuffer::new_unchecked(offsets), bytes, self.nulls.finish(rows))
        })
    }
}

/// A column of lists of strings, null where the list is empty.
#[derive(Default)]
pub struct ListColumn {
    lists: Option<ListBuilder<StringBuilder>>,
}

impl ListColumn {
    /// Puts a list into a row, which must come after the last one. An empty list is stored as null.
    pub fn put<'a>(&mut self, row: usize, items: impl ExactSizeIterator<Item = Option<&'a str>>) {
        if items.len() == 0 {
            return;
        }
        let lists = self.lists.get_or_insert_default();
        skip_to(lists, row);
        for item in items {
            lists.values().append_option(item);
        }
        lists.append(true);
    }

    pub fn finish(&mut self, rows: usize) -> ArrayRef {
        finish_lists(self.lists.take(), rows, DataType::Utf8)
    }
}

/// A column of lists of numbers, null where the list is empty.
#[derive(Default)]
pub struct NumberListColumn {
    lists: Option<ListBuilder<Int64Builder>>,
}

impl NumberListColumn {
    /// Puts a list into a row, which must come after the last one. An empty list is stored as null.
    pub fn put(&mut self, row: usize, items: impl ExactSizeIterator<Item = i64>) {
        if items.len() == 0 {
            return;
        }
        let lists = self.lists.get_or_insert_default();
        skip_to(lists, row);
        for item in items {
            lists.values().append_value(item);
        }
        lists.append(true);
    }

    pub fn finish(&mut self, rows: usize) -> ArrayRef {
        finish_lists(self.lists.take(), rows, DataType::Int64)
    }
}

fn skip_to<B: ArrayBuilder>(lists: &mut ListBuilder<B>, row: usize) {
    while lists.len() < row {
        lists.append(false);
    }
}

fn finish_lists<B: ArrayBuilder>(lists: Option<ListBuilder<B>>, rows: usize, item: DataType) -> ArrayRef {
    let Some(mut lists) = lists else {
        return Arc::new(ListArray::new_null(Arc::new(Field::new_list_field(item, true)), rows));
    };
    skip_to(&mut lists, rows);
    Arc::new(lists.finish())
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;

    use super::*;

    #[test]
    fn columns_keep_values_and_nulls_in_every_order() {
        for pattern in 0..1_u32 << 7 {
            let wanted: Vec<Option<i32>> = (0..7).map(|row| (pattern & (1 << row) != 0).then_some(row)).collect();
            let (mut numbers, mut texts, mut lists) =
                (Int32Column::default(), TextColumn::default(), ListColumn::default());
            // Twice, because a finished column starts over.
            for _ in 0..2 {
                for (row, value) in wanted.iter().enumerate() {
                    numbers.put_option(row, *value);
                    let text = value.map(|value| "é".repeat(value as usize));
                    texts.put_option(row, text.as_deref());
                    lists.put(row, text.iter().map(|text| Some(text.as_str())));
                }
                let array = numbers.finish(7);
                assert_eq!(array.as_primitive::<Int32Type>().iter().collect::<Vec<_>>(), wanted);
                let array = texts.finish(7);
                let lengths = array
                    .as_string::<i32>()
                    .iter()
                    .map(|text| text.map(|text| text.chars().count() as i32));
                assert_eq!(lengths.collect::<Vec<_>>(), wanted);
                let array = lists.finish(7);
                let present = array.as_list::<i32>().iter().map(|list| list.map(|list| list.len()));
                assert_eq!(
                    present.collect::<Vec<_>>(),
                    wanted.iter().map(|one| one.map(|_| 1)).collect::<Vec<_>>()
                );
            }
        }
    }
}
