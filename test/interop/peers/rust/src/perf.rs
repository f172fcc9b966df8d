//! `/perf/1.0.0` on raw streams, both roles.
use futures::{AsyncReadExt, AsyncWriteExt, StreamExt};
use libp2p::{PeerId, Stream, StreamProtocol};
use libp2p_stream::Control;
use serde_json::{Value, json};
use tokio::sync::oneshot;

const PROTOCOL: StreamProtocol = StreamProtocol::new("/perf/1.0.0");
const BLOCK: [u8; 65536] = [0; 65536];

/// serve reads each request to its end, sends what was asked for, and tells what it counted.
pub async fn serve(mut control: Control) {
    let mut incoming = control.accept(PROTOCOL).expect("nobody else accepts it");
    while let Some((_, stream)) = incoming.next().await {
        tokio::spawn(async {
            println!("{}", answer_to(stream).await.unwrap_or_else(|error| json!({ "error": error.to_string() })));
        });
    }
}

async fn answer_to(mut stream: Stream) -> std::io::Result<Value> {
    let mut wanted = [0; 8];
    stream.read_exact(&mut wanted).await?;
    let received = read_all(&mut stream).await?;
    let sent = u64::from_be_bytes(wanted);
    send(&mut stream, sent).await?;
    stream.close().await?;
    Ok(json!({ "received": received, "sent": sent }))
}

/// ask makes a request and counts what comes back.
pub async fn ask(control: Control, server: PeerId, question: Value, answer: oneshot::Sender<Value>) {
    let told = match request(control, server, question).await {
        Ok(counted) => counted,
        Err(error) => json!({ "error": "NO_REPLY", "text": error.to_string() }),
    };
    drop(answer.send(told));
}

async fn request(mut control: Control, server: PeerId, question: Value) -> Result<Value, crate::Failure> {
    let (up, down) = (question["up"].as_u64().unwrap_or(0), question["down"].as_u64().unwrap_or(0));
    let mut stream = control.open_stream(server, PROTOCOL).await?;
    stream.write_all(&down.to_be_bytes()).await?;
    send(&mut stream, up).await?;
    stream.close().await?;
    Ok(json!({ "sent": up, "received": read_all(&mut stream).await? }))
}

async fn send(stream: &mut Stream, mut left: u64) -> std::io::Result<()> {
    while left > 0 {
        let piece = left.min(BLOCK.len() as u64) as usize;
        stream.write_all(&BLOCK[..piece]).await?;
        left -= piece as u64;
    }
    stream.flush().await
}

async fn read_all(stream: &mut Stream) -> std::io::Result<u64> {
    let mut buffer = vec![0; 65536];
    let mut received = 0;
    loop {
        match stream.read(&mut buffer).await? {
            0 => return Ok(received),
            count => received += count as u64,
        }
    }
}
