//! Rendezvous requests on raw streams, opened and closed as the stock client does. That client signs records for the domain libp2p-routing-state alone,
//! which the server in Go refuses, and checks every record of a DISCOVER, which takes longer than the server needs for it.
use futures::{AsyncReadExt, AsyncWriteExt};
use libp2p::{
    Multiaddr, PeerId, Stream, StreamProtocol,
    core::PeerRecord,
    identity::{Keypair, SigningError},
};
use libp2p_stream::Control;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::Failure;

const PROTOCOL: StreamProtocol = StreamProtocol::new("/rendezvous/1.0.0");
const REGISTER: u64 = 0;
const DISCOVER: u64 = 3;

/// ask sends one request and answers with the status of the reply, where it is not OK.
pub async fn ask(
    control: Control,
    server: PeerId,
    keypair: Keypair,
    question: Value,
    answer: oneshot::Sender<Value>,
) {
    let reply = match exchange(control, server, &keypair, &question).await {
        Ok(0) => json!({}),
        Ok(status) => json!({ "error": format!("status {status}") }),
        Err(error) => json!({ "error": "NO_REPLY", "text": error.to_string() }),
    };
    drop(answer.send(reply));
}

async fn exchange(
    mut control: Control,
    server: PeerId,
    keypair: &Keypair,
    question: &Value,
) -> Result<u64, Failure> {
    let request = request(keypair, question)?;
    let mut stream = control.open_stream(server, PROTOCOL).await?;
    stream.write_all(&[varint(request.len() as u64), request].concat()).await?;
    stream.flush().await?;
    stream.close().await?;
    Ok(status(&frame(&mut stream).await?))
}

fn request(keypair: &Keypair, question: &Value) -> Result<Vec<u8>, Failure> {
    let ns = bytes_field(1, question["ns"].as_str().unwrap_or_default().as_bytes());
    Ok(match question["op"].as_str() {
        Some("register") => {
            let record = bytes_field(2, &record(keypair, question["domain"].as_str())?);
            [number_field(1, REGISTER), bytes_field(2, &[ns, record].concat())].concat()
        }
        Some("discover") => {
            let limit = number_field(2, question["limit"].as_u64().unwrap_or(0));
            [number_field(1, DISCOVER), bytes_field(5, &[ns, limit].concat())].concat()
        }
        _ => return Err("no such request".into()),
    })
}

/// A record is signed for each request, as the stock client does.
fn record(keypair: &Keypair, domain: Option<&str>) -> Result<Vec<u8>, SigningError> {
    let addresses: Vec<Multiaddr> = vec![crate::EXTERNAL_ADDRESS.parse().expect("an address")];
    let record = match domain {
        Some("libp2p-routing-state") => PeerRecord::new(keypair, addresses),
        _ => PeerRecord::new_interop(keypair, addresses),
    };
    Ok(record?.into_signed_envelope().into_protobuf_encoding())
}

async fn frame(stream: &mut Stream) -> Result<Vec<u8>, Failure> {
    let mut length = Vec::new();
    while length.last().is_none_or(|byte| byte & 0x80 != 0) {
        let mut byte = [0];
        stream.read_exact(&mut byte).await?;
        length.push(byte[0]);
    }
    let mut body = vec![0; read_varint(&mut &length[..]).ok_or("no length")? as usize];
    stream.read_exact(&mut body).await?;
    Ok(body)
}

/// The status in a RegisterResponse or a DiscoverResponse; one that is not there is OK.
fn status(reply: &[u8]) -> u64 {
    let within = |message, field| find(find(reply, message)?.1, field);
    within(3, 1).or_else(|| within(6, 3)).map_or(0, |(status, _)| status)
}

/// A field of a protobuf message that holds numbers and bytes alone: its number, or its length and bytes.
fn find(mut message: &[u8], field: u64) -> Option<(u64, &[u8])> {
    loop {
        let tag = read_varint(&mut message)?;
        let value = read_varint(&mut message)?;
        let length = if tag & 7 == 2 { value as usize } else { 0 };
        let (bytes, rest) = message.split_at_checked(length)?;
        if tag >> 3 == field {
            return Some((value, bytes));
        }
        message = rest;
    }
}

fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn number_field(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

fn bytes_field(field: u64, bytes: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}
