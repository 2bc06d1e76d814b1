//! Which node of a cluster holds what.

use crate::command::Commands;
use crate::connection::Connection;
use crate::failure::{from_server, unexpected};
use crate::reply::Reply;
use ycsb_plugin_api::Failure;
use ycsb_plugin_common::Endpoint;

/// Slots of a cluster.
const SLOTS: u16 = 16_384;

/// A range of slots and the node that holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SlotRange {
    pub(crate) first: u16,
    pub(crate) last: u16,
    pub(crate) primary: Endpoint,
}

/// Asks a node for the slots, in ascending order.
pub(crate) async fn slots(connection: &mut Connection, asked: &Endpoint) -> Result<Vec<SlotRange>, Failure> {
    let mut commands = Commands::default();
    commands.start("CLUSTER", 1).word("SLOTS");
    connection.send(commands.bytes(), commands.len()).await?;
    let mut ranges = match connection.receive().await? {
        Reply::Array(items) => items.map(|item| range(item, asked)).collect::<Option<Vec<_>>>(),
        Reply::Error(error) if error.ends_with(b"cluster support disabled") => {
            return Err(Failure::bad_request(format!("{asked} is no cluster; remove redis.cluster=true")));
        }
        Reply::Error(error) => return Err(from_server(error)),
        other => return Err(unexpected("CLUSTER SLOTS", other)),
    }
    .ok_or_else(|| Failure::error(format!("the answer of {asked} to CLUSTER SLOTS cannot be read")))?;
    ranges.sort_by_key(|range| range.first);
    Ok(ranges)
}

/// `[first, last, [host, port, ...], replicas ...]`
fn range(item: Reply<'_>, asked: &Endpoint) -> Option<SlotRange> {
    let Reply::Array(mut items) = item else { return None };
    let (Reply::Integer(first), Reply::Integer(last)) = (items.next()?, items.next()?) else { return None };
    let Reply::Array(mut node) = items.next()? else { return None };
    let (host, port) = (node.next()?, node.next()?);
    let Reply::Integer(port) = port else { return None };
    let host = match host {
        Reply::Bulk(host) if !host.is_empty() => std::str::from_utf8(host).ok()?,
        // A node that does not know its own address is the one that was asked.
        _ => asked.host(),
    };
    let (first, last) = (u16::try_from(first).ok()?, u16::try_from(last).ok()?);
    (first <= last && last < SLOTS).then_some(SlotRange {
        first,
        last,
        primary: Endpoint::tcp(host, u16::try_from(port).ok()?),
    })
}

/// `MOVED 3999 127.0.0.1:6381` or `ASK ...`: where to go, and whether it is for this once only.
pub(crate) fn redirection(error: &[u8], asked: &Endpoint) -> Option<(Endpoint, bool)> {
    let text = std::str::from_utf8(error).ok()?;
    let mut words = text.split(' ');
    let ask = match words.next()? {
        "MOVED" => false,
        "ASK" => true,
        _ => return None,
    };
    let (host, port) = words.nth(1)?.rsplit_once(':')?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let host = if host.is_empty() { asked.host() } else { host };
    Some((Endpoint::tcp(host, port.parse().ok()?), ask))
}

/// The slot of a key: CRC-16/XMODEM of the key, or of what stands in its first braces.
pub(crate) fn slot_of(key: &[u8]) -> u16 {
    crc16(hash_tag(key).unwrap_or(key)) % SLOTS
}

fn hash_tag(key: &[u8]) -> Option<&[u8]> {
    let open = key.iter().position(|byte| *byte == b'{')?;
    let inside = &key[open + 1..];
    let close = inside.iter().position(|byte| *byte == b'}')?;
    (close > 0).then(|| &inside[..close])
}

fn crc16(bytes: &[u8]) -> u16 {
    const TABLE: [u16; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut crc = (byte as u16) << 8;
            let mut bit = 0;
            while bit < 8 {
                crc = if crc & 0x8000 != 0 { (crc << 1) ^ 0x1021 } else { crc << 1 };
                bit += 1;
            }
            table[byte] = crc;
            byte += 1;
        }
        table
    };
    bytes.iter().fold(0, |crc, byte| (crc << 8) ^ TABLE[usize::from((crc >> 8) as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_the_cluster_specification() {
        assert_eq!(crc16(b"123456789"), 0x31C3);
        // As CLUSTER KEYSLOT of Redis 7 answers.
        for (key, slot) in [("foo", 12_182), ("user1000385178204227360", 11_633), ("_indices", 6_052)] {
            assert_eq!(slot_of(key.as_bytes()), slot, "{key}");
        }
        assert_eq!(slot_of(b"a{foo}b{c}"), slot_of(b"foo"));
        assert_ne!(slot_of(b"{}foo"), slot_of(b"foo"));
    }

    #[test]
    fn a_redirection_names_the_other_node() {
        let asked = Endpoint::tcp("10.0.0.1", 7000);
        let moved = |text: &str| redirection(text.as_bytes(), &asked);
        assert_eq!(moved("MOVED 3999 127.0.0.1:6381"), Some((Endpoint::tcp("127.0.0.1", 6381), false)));
        assert_eq!(moved("ASK 3999 ::1:6381"), Some((Endpoint::tcp("::1", 6381), true)));
        assert_eq!(moved("MOVED 3999 :6381"), Some((Endpoint::tcp("10.0.0.1", 6381), false)));
        assert_eq!(moved("ERR no"), None);
        assert_eq!(moved("MOVED 3999"), None);
    }
}
