//! zarrs as a writer and reader of small stores, for tests and fixtures.
//!
//!     zarrs-oracle write SPEC.json DIR      SPEC: [{"path", "metadata": <zarr.json>, "elements": [hex, ...] | "data": hex, "masks"?, "selection"?}, ...]
//!     zarrs-oracle read DIR PATH...         prints [{"shape", "elements": [hex, ...], "masks"?} | {"shape", "data": hex, "masks"?} | {"error"}, ...]
//!
//! Elements are in C order. `elements` are the bytes of each element of variable length; `data` all elements of fixed size,
//! little-endian. `masks`: for optional elements, a byte each in hex, the outermost first. A `selection` is [[start, stop], ...]; without one the whole array is written. With `"partial": true` zarrs appends
//! what changes in a shard to it, and leaves gaps.

use serde_json::{json, Value};
use std::{error::Error, fs, path::Path, sync::Arc};
use zarrs::array::{Array, ArrayBytes, ArrayBytesOffsets, ArraySubset};
use zarrs::config::global_config;
use zarrs::filesystem::FilesystemStore;

/// As Cargo.toml pins it.
const ZARRS: &str = "0.23.14";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["version"] => println!("{}", ZARRS),
        ["write", spec, folder] => {
            let arrays: Vec<Value> = serde_json::from_str(&fs::read_to_string(spec)?)?;
            for array in &arrays {
                write(array, folder).map_err(|error| format!("{}: {error}", array["path"]))?;
            }
        }
        ["read", folder, paths @ ..] => {
            let answers: Vec<Value> = paths
                .iter()
                .map(|path| guarded(folder, path))
                .collect();
            println!("{}", Value::from(answers));
        }
        _ => return Err("expected version, write SPEC.json DIR or read DIR PATH...".into()),
    }
    Ok(())
}

/// zarrs panics on some damaged input, which must not take the other answers along.
fn guarded(folder: &str, path: &str) -> Value {
    match std::panic::catch_unwind(|| read(folder, path).map_err(|error| error.to_string())) {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => json!({ "error": error }),
        Err(_) => json!({ "error": "panic" }),
    }
}

fn open(folder: &str, path: &str) -> Result<Array<FilesystemStore>> {
    Ok(Array::open(Arc::new(FilesystemStore::new(folder)?), path)?)
}

fn write(spec: &Value, folder: &str) -> Result<()> {
    let path = spec["path"].as_str().ok_or("expected a path")?;
    let node = Path::new(folder).join(path.trim_start_matches('/'));
    fs::create_dir_all(&node)?;
    fs::write(node.join("zarr.json"), spec["metadata"].to_string())?;
    let array = open(folder, path)?;
    let subset = match spec["selection"].as_array() {
        None => array.subset_all(),
        Some(ranges) => ArraySubset::new_with_ranges(
            &ranges
                .iter()
                .map(|range| Ok(number(&range[0])?..number(&range[1])?))
                .collect::<Result<Vec<_>>>()?,
        ),
    };
    let options = global_config()
        .codec_options()
        .with_experimental_partial_encoding(spec["partial"] == true);
    array.store_array_subset_opt(&subset, bytes_of(spec)?, &options)?;
    Ok(())
}

fn number(value: &Value) -> Result<u64> {
    value.as_u64().ok_or_else(|| "expected a bound".into())
}

fn bytes_of(spec: &Value) -> Result<ArrayBytes<'static>> {
    let masks = spec["masks"].as_array().map(Vec::as_slice).unwrap_or_default();
    masks.iter().rev().try_fold(elements_of(spec)?, |bytes, mask| {
        Ok(bytes.with_optional_mask(from_hex(mask.as_str().ok_or("expected hex")?)?))
    })
}

fn elements_of(spec: &Value) -> Result<ArrayBytes<'static>> {
    if let Some(data) = spec["data"].as_str() {
        return Ok(ArrayBytes::new_flen(from_hex(data)?));
    }
    let elements = spec["elements"].as_array().ok_or("expected data or elements")?;
    let mut bytes = Vec::new();
    let mut offsets = vec![0];
    for element in elements {
        bytes.extend(from_hex(element.as_str().ok_or("expected hex")?)?);
        offsets.push(bytes.len());
    }
    Ok(ArrayBytes::new_vlen(bytes, ArrayBytesOffsets::new(offsets)?)?)
}

fn read(folder: &str, path: &str) -> Result<Value> {
    let array = open(folder, path)?;
    let mut bytes: ArrayBytes = array.retrieve_array_subset(&array.subset_all())?;
    let mut answer = json!({ "shape": array.shape() });
    let mut masks = Vec::new();
    while let ArrayBytes::Optional(optional) = bytes {
        let (data, mask) = optional.into_parts();
        masks.push(to_hex(&mask));
        bytes = *data;
    }
    if !masks.is_empty() {
        answer["masks"] = json!(masks);
    }
    if let ArrayBytes::Fixed(data) = bytes {
        answer["data"] = json!(to_hex(&data));
    } else {
        let (data, offsets) = bytes.into_variable()?.into_parts();
        let elements: Vec<String> = offsets
            .windows(2)
            .map(|ends| to_hex(&data[ends[0]..ends[1]]))
            .collect();
        answer["elements"] = json!(elements);
    }
    Ok(answer)
}

fn from_hex(text: &str) -> Result<Vec<u8>> {
    (0..text.len())
        .step_by(2)
        .map(|at| Ok(u8::from_str_radix(&text[at..at + 2], 16)?))
        .collect()
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
