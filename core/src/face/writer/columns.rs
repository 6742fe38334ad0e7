//! Arrow columns: the values of entries, of any type.

use std::borrow::Cow;
use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Date64Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType, UInt8Type,
    UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use pyo3::prelude::*;

use super::EntryError;
use crate::write::entry::{Item, Link, Record, Value};
use crate::write::records::Spec;

/// A column of single values.
pub struct Column<'a> {
    array: &'a dyn Array,
    has_nulls: bool,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Null,
    Utf8(&'a arrow_array::StringArray),
    LargeUtf8(&'a arrow_array::LargeStringArray),
    Utf8View(&'a arrow_array::StringViewArray),
    Dictionary(Vec<usize>, Box<Column<'a>>),
    Integer(fn(&'a dyn Array, usize) -> i64),
    Unsigned64(&'a arrow_array::UInt64Array),
    Float32(&'a arrow_array::Float32Array),
    Float64(&'a arrow_array::Float64Array),
    Decimal(&'a arrow_array::Decimal128Array),
    Bool(&'a arrow_array::BooleanArray),
    Day(&'a arrow_array::Date32Array),
    Instant(fn(&'a dyn Array, usize) -> i64),
}

impl<'a> Column<'a> {
    pub fn of(array: &'a ArrayRef, name: &str) -> PyResult<Self> {
        let array: &'a dyn Array = array.as_ref();
        macro_rules! integer {
            ($kind:ty) => {
                Kind::Integer(|array, row| array.as_primitive::<$kind>().value(row).into())
            };
        }
        let kind = match array.data_type() {
            DataType::Null => Kind::Null,
            DataType::Utf8 => Kind::Utf8(array.as_string()),
            DataType::LargeUtf8 => Kind::LargeUtf8(array.as_string()),
            DataType::Utf8View => Kind::Utf8View(array.as_string_view()),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                Kind::Dictionary(
                    if dictionary.values().is_empty() {
                        vec![0; array.len()]
                    } else {
                        dictionary.normalized_keys()
                    },
                    Box::new(Column::of(dictionary.values(), name)?),
                )
            }
            DataType::Int8 => integer!(Int8Type),
            DataType::Int16 => integer!(Int16Type),
            DataType::Int32 => integer!(Int32Type),
            DataType::Int64 => integer!(Int64Type),
            DataType::UInt8 => integer!(UInt8Type),
            DataType::UInt16 => integer!(UInt16Type),
            DataType::UInt32 => integer!(UInt32Type),
            DataType::UInt64 => Kind::Unsigned64(array.as_primitive::<UInt64Type>()),
            DataType::Float32 => Kind::Float32(array.as_primitive::<Float32Type>()),
            DataType::Float64 => Kind::Float64(array.as_primitive::<Float64Type>()),
            DataType::Decimal128(..) => Kind::Decimal(array.as_primitive::<Decimal128Type>()),
            DataType::Boolean => Kind::Bool(array.as_boolean()),
            DataType::Date32 => Kind::Day(array.as_primitive::<Date32Type>()),
            DataType::Date64 => {
                Kind::Instant(|array, row| array.as_primitive::<Date64Type>().value(row).saturating_mul(1000))
            }
            DataType::Timestamp(unit, _) => Kind::Instant(match unit {
                TimeUnit::Second => |array, row| {
                    array
                        .as_primitive::<TimestampSecondType>()
                        .value(row)
                        .saturating_mul(1_000_000)
                },
                TimeUnit::Millisecond => |array, row| {
                    array
                        .as_primitive::<TimestampMillisecondType>()
                        .value(row)
                        .saturating_mul(1000)
                },
                TimeUnit::Microsecond => |array, row| array.as_primitive::<TimestampMicrosecondType>().value(row),
                TimeUnit::Nanosecond => |array, row| {
                    array
                        .as_primitive::<TimestampNanosecondType>()
                        .value(row)
                        .div_euclid(1000)
                },
            }),
            other => {
                return Err(EntryError::new_err(format!(
                    "column {name:?} has type {other}; supported are strings, numbers, dates and timestamps"
                )));
            }
        };
        Ok(Self {
            array,
            has_nulls: array.logical_null_count() > 0,
            kind,
        })
    }

    #[inline]
    fn is_null(&self, row: usize) -> bool {
        self.has_nulls && (matches!(self.kind, Kind::Null) || self.array.is_null(row))
    }

    #[inline]
    pub fn value(&'a self, row: usize) -> Option<Value<'a>> {
        if self.is_null(row) {
            return None;
        }
        Some(match &self.kind {
            Kind::Null => return None,
            Kind::Utf8(array) => Value::Text(Cow::Borrowed(array.value(row))),
            Kind::LargeUtf8(array) => Value::Text(Cow::Borrowed(array.value(row))),
            Kind::Utf8View(array) => Value::Text(Cow::Borrowed(array.value(row))),
            Kind::Dictionary(keys, values) => return values.value(keys[row]),
            Kind::Integer(get) => Value::Integer(get(self.array, row)),
            Kind::Unsigned64(array) => Value::Text(Cow::Owned(array.value(row).to_string())),
            // Converts by its digits: 0.1 as a double would be 0.10000000149011612.
            Kind::Float32(array) => Value::Float(array.value(row).to_string().parse().unwrap_or(f64::NAN)),
            Kind::Float64(array) => Value::Float(array.value(row)),
            Kind::Decimal(array) => Value::Text(Cow::Owned(array.value_as_string(row))),
            Kind::Bool(array) => Value::Bool(array.value(row)),
            Kind::Day(array) => Value::Day(array.value(row)),
            Kind::Instant(get) => Value::Instant(get(self.array, row)),
        })
    }

    /// Returns the value as text, whatever its type.
    #[inline]
    pub fn text(&'a self, row: usize) -> Option<Cow<'a, str>> {
        match self.value(row)? {
            Value::Text(text) => Some(text),
            other => Some(Cow::Owned(other.text().into_owned())),
        }
    }
}

/// A column of lists: the positions of each row's items.
struct Lists<'a> {
    array: &'a dyn Array,
    values: &'a ArrayRef,
}

impl<'a> Lists<'a> {
    fn of(array: &'a ArrayRef) -> Option<Self> {
        let values = match array.data_type() {
            DataType::List(_) => array.as_list::<i32>().values(),
            DataType::LargeList(_) => array.as_list::<i64>().values(),
            DataType::FixedSizeList(..) => array.as_fixed_size_list().values(),
            _ => return None,
        };
        Some(Self { array, values })
    }

    fn range(&self, row: usize) -> Range<usize> {
        if self.array.is_null(row) {
            return 0..0;
        }
        let array = self.array;
        if let Some(lists) = array.as_list_opt::<i32>() {
            let offsets = lists.value_offsets();
            offsets[row] as usize..offsets[row + 1] as usize
        } else if let Some(lists) = array.as_list_opt::<i64>() {
            let offsets = lists.value_offsets();
            offsets[row] as usize..offsets[row + 1] as usize
        } else {
            let lists = array.as_fixed_size_list();
            let start = lists.value_offset_at(row);
            start..start + lists.value_length() as usize
        }
    }
}

/// A field of records: single values or lists of values.
enum Values<'a> {
    One(Column<'a>),
    Many(Lists<'a>, Column<'a>),
}

impl<'a> Values<'a> {
    fn of(array: &'a ArrayRef, name: &str) -> PyResult<Self> {
        match Lists::of(array) {
            Some(lists) => {
                let values = Column::of(lists.values, name)?;
                Ok(Values::Many(lists, values))
            }
            None => Column::of(array, name).map(Values::One),
        }
    }

    fn item(&'a self, row: usize) -> Option<Item<'a>> {
        match self {
            Values::One(column) => column.value(row).map(Item::One),
            Values::Many(lists, column) => Some(Item::Many(lists.range(row).map(|at| column.value(at)).collect())),
        }
    }
}

/// A column of lists of records: structs, or strings as the short form of a record.
pub struct Records<'a> {
    lists: Lists<'a>,
    items: &'a dyn Array,
    fields: Vec<(&'a str, Values<'a>)>,
}

impl<'a> Records<'a> {
    pub fn of(array: &'a ArrayRef, spec: &Spec) -> PyResult<Self> {
        let wrong = || {
            EntryError::new_err(format!(
                "column {:?} has type {}; it must be a list of structs",
                spec.key,
                array.data_type()
            ))
        };
        let lists = Lists::of(array).ok_or_else(wrong)?;
        let mut fields = Vec::new();
        if let Some(structs) = lists.values.as_struct_opt() {
            for (field, column) in structs.fields().iter().zip(structs.columns()) {
                let name = field.name().as_str();
                if !spec.knows(name) {
                    return Err(EntryError::new_err(format!(
                        "records in {} have no field {name:?}",
                        spec.key
                    )));
                }
                fields.push((name, Values::of(column, name)?));
            }
        } else {
            let short = spec.short.ok_or_else(wrong)?;
            fields.push((short, Values::One(Column::of(lists.values, spec.key)?)));
        }
        let items = lists.values.as_ref();
        Ok(Self { lists, items, fields })
    }

    pub fn records(&'a self, row: usize) -> Vec<Record<'a>> {
        let record = |at: usize| -> Record<'a> {
            let fields = self.fields.iter();
            fields
                .filter_map(|(name, values)| Some((Cow::Borrowed(*name), values.item(at)?)))
                .collect()
        };
        let range = self.lists.range(row);
        range.filter(|&at| !self.items.is_null(at)).map(record).collect()
    }
}

/// A column of hreflang links: lists of structs, or maps from code to URL.
pub struct Links<'a> {
    lists: Option<Lists<'a>>,
    maps: Option<&'a arrow_array::MapArray>,
    codes: Column<'a>,
    hrefs: Column<'a>,
}

impl<'a> Links<'a> {
    pub fn of(array: &'a ArrayRef) -> PyResult<Self> {
        if let Some(maps) = array.as_map_opt() {
            return Ok(Self {
                lists: None,
                maps: Some(maps),
                codes: Column::of(maps.keys(), "alternates")?,
                hrefs: Column::of(maps.values(), "alternates")?,
            });
        }
        let wrong = || {
            EntryError::new_err(format!(
                "column \"alternates\" has type {}; it must be a list of structs with hreflang and href, or a map from \
                 code to URL",
                array.data_type()
            ))
        };
        let lists = Lists::of(array).ok_or_else(wrong)?;
        let structs = lists.values.as_struct_opt().ok_or_else(wrong)?;
        let codes = structs.column_by_name("hreflang").ok_or_else(wrong)?;
        let hrefs = structs.column_by_name("href").ok_or_else(wrong)?;
        Ok(Self {
            codes: Column::of(codes, "alternates.hreflang")?,
            hrefs: Column::of(hrefs, "alternates.href")?,
            lists: Some(lists),
            maps: None,
        })
    }

    pub fn links(&'a self, row: usize) -> Vec<Link<'a>> {
        let range = match (&self.lists, self.maps) {
            (Some(lists), _) => lists.range(row),
            (None, Some(maps)) if !maps.is_null(row) => {
                let offsets = maps.value_offsets();
                offsets[row] as usize..offsets[row + 1] as usize
            }
            _ => 0..0,
        };
        let link = |at| Link {
            hreflang: self.codes.text(at).unwrap_or_default(),
            href: self.hrefs.text(at).unwrap_or_default(),
        };
        range.map(link).collect()
    }
}
