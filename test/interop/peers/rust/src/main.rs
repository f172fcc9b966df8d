//! A rendezvous peer made of the stock `libp2p-rendezvous`, and a perf peer made of `libp2p-stream`. What it is told and answers: see ../../../peer.js.
mod load;
mod perf;
mod raw;

use std::{
    collections::{HashMap, VecDeque},
    error::Error,
    time::Duration,
};

use futures::StreamExt;
use libp2p::{
    Multiaddr, PeerId, Swarm, SwarmBuilder,
    identity::Keypair,
    multiaddr::Protocol,
    noise,
    rendezvous::{Cookie, ErrorCode, Namespace, client, server},
    swarm::{NetworkBehaviour, SwarmEvent},
    tcp, yamux,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader, stdin},
    sync::{mpsc, oneshot},
};

type Failure = Box<dyn Error + Send + Sync>;
type Question = (Value, oneshot::Sender<Value>);

/// What peers register.
const EXTERNAL_ADDRESS: &str = "/ip4/127.0.0.1/tcp/4001";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["serve"] => serve().await,
        ["client", address] => ask(address.parse()?).await,
        _ => Err("usage: peer serve | peer client <multiaddr>".into()),
    }
}

#[derive(NetworkBehaviour)]
struct Serving {
    rendezvous: server::Behaviour,
    stream: libp2p_stream::Behaviour,
}

#[derive(NetworkBehaviour)]
struct Asking {
    rendezvous: client::Behaviour,
    stream: libp2p_stream::Behaviour,
}

fn swarm_with<B: NetworkBehaviour>(
    behaviour: impl FnOnce(&Keypair) -> B,
) -> Result<Swarm<B>, Failure> {
    Ok(SwarmBuilder::with_new_identity()
        .with_tokio()
        .with_tcp(
            tcp::Config::default().nodelay(true),
            noise::Config::new,
            yamux::Config::default,
        )?
        .with_behaviour(behaviour)
        .map_err(|error| error.to_string())?
        .with_swarm_config(|config| {
            config.with_idle_connection_timeout(Duration::from_secs(600))
        })
        .build())
}

/// Time to live from 1 s, and more registrations than by default: a load test makes them.
fn server_config() -> server::Config {
    server::Config::default()
        .with_min_ttl(1)
        .with_max_registration_per_peer(1_000)
        .with_max_registration_total(100_000)
}

async fn serve() -> Result<(), Failure> {
    let mut swarm = swarm_with(|_| Serving {
        rendezvous: server::Behaviour::new(server_config()),
        stream: libp2p_stream::Behaviour::new(),
    })?;
    tokio::spawn(perf::serve(swarm.behaviour().stream.new_control()));
    swarm.listen_on("/ip4/127.0.0.1/tcp/0".parse()?)?;
    let mut lines = BufReader::new(stdin()).lines();
    loop {
        tokio::select! {
            line = lines.next_line() => if line?.is_none() { return Ok(()) },
            event = swarm.select_next_some() => if let SwarmEvent::NewListenAddr { address, .. } = event {
                println!("{}", json!({ "address": format!("{address}/p2p/{}", swarm.local_peer_id()) }));
            },
        }
    }
}

/// ask reads a question a line and answers each with a line; `as` names who asks, every one a peer of its own.
async fn ask(server: Multiaddr) -> Result<(), Failure> {
    let mut peers: HashMap<u64, mpsc::Sender<Question>> = HashMap::new();
    let mut lines = BufReader::new(stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let question: Value = serde_json::from_str(&line)?;
        let who = question["as"].as_u64().unwrap_or(0);
        let others = question["peers"].as_u64().unwrap_or(1);
        for peer in who..who + others {
            if !peers.contains_key(&peer) {
                peers.insert(peer, start_peer(server.clone()).await?);
            }
        }
        if question["op"] == "load" {
            let asked = (who..who + others).map(|peer| peers[&peer].clone()).collect();
            println!("{}", load::run(asked, &question).await?);
            continue;
        }
        let (answer, answered) = oneshot::channel();
        peers[&who].send((question, answer)).await?;
        println!("{}", answered.await?);
    }
    Ok(())
}

async fn start_peer(server: Multiaddr) -> Result<mpsc::Sender<Question>, Failure> {
    let Some(Protocol::P2p(server_id)) = server.iter().last() else {
        return Err("the server's address must end in its id".into());
    };
    let mut keypair = None;
    let mut swarm = swarm_with(|key| {
        keypair = Some(key.clone());
        Asking {
            rendezvous: client::Behaviour::new(key.clone()),
            stream: libp2p_stream::Behaviour::new(),
        }
    })?;
    let keypair = keypair.ok_or("a peer has a key")?;
    swarm.add_external_address(EXTERNAL_ADDRESS.parse()?);
    swarm.dial(server)?;
    loop {
        match swarm.select_next_some().await {
            SwarmEvent::ConnectionEstablished { .. } => break,
            SwarmEvent::OutgoingConnectionError { error, .. } => return Err(error.into()),
            _ => {}
        }
    }
    let (questions, asked) = mpsc::channel(1);
    tokio::spawn(run_peer(swarm, server_id, keypair, asked));
    Ok(questions)
}

async fn run_peer(
    mut swarm: Swarm<Asking>,
    server: PeerId,
    keypair: Keypair,
    mut asked: mpsc::Receiver<Question>,
) {
    // replies to requests of one kind come in the order of the requests, but for streams that overtake each other
    let mut registering = VecDeque::<oneshot::Sender<Value>>::new();
    let mut discovering = VecDeque::<oneshot::Sender<Value>>::new();
    loop {
        tokio::select! {
            Some((question, answer)) = asked.recv() => {
                if question["op"] == "perf" {
                    tokio::spawn(perf::ask(swarm.behaviour().stream.new_control(), server, question, answer));
                    continue;
                }
                if question["domain"].is_string() {
                    tokio::spawn(raw::ask(swarm.behaviour().stream.new_control(), server, keypair.clone(), question, answer));
                    continue;
                }
                match begin(&mut swarm, server, &question) {
                    Some(at_once) => drop(answer.send(at_once)),
                    None if question["op"] == "register" => registering.push_back(answer),
                    None => discovering.push_back(answer),
                }
            },
            event = swarm.select_next_some() => {
                if let SwarmEvent::Behaviour(AskingEvent::Rendezvous(event)) = event {
                    let waiting = match event {
                        client::Event::Registered { .. } | client::Event::RegisterFailed { .. } => &mut registering,
                        _ => &mut discovering,
                    };
                    if let Some(reply) = reply_of(event)
                        && let Some(answer) = waiting.pop_front()
                    {
                        drop(answer.send(reply));
                    }
                }
            },
        }
    }
}

/// begin sends what was asked for, and gives the answer where there is no reply to wait for.
fn begin(swarm: &mut Swarm<Asking>, server: PeerId, question: &Value) -> Option<Value> {
    let begun = match question["op"].as_str() {
        Some("id") => Ok(Some(json!({ "peer": swarm.local_peer_id().to_string() }))),
        Some("register") => register(swarm, server, question).map(|()| None),
        Some("unregister") => unregister(swarm, server, question).map(|()| Some(json!({}))),
        Some("discover") => discover(swarm, server, question).map(|()| None),
        _ => Err("no such operation".into()),
    };
    begun.unwrap_or_else(|error| Some(json!({ "error": "REFUSED_BY_CLIENT", "text": error.to_string() })))
}

fn namespace(question: &Value) -> Result<Option<Namespace>, Failure> {
    Ok(question["ns"].as_str().map(|ns| Namespace::new(ns.into())).transpose()?)
}

fn register(swarm: &mut Swarm<Asking>, server: PeerId, question: &Value) -> Result<(), Failure> {
    let ns = namespace(question)?.ok_or("a namespace is needed")?;
    Ok(swarm.behaviour_mut().rendezvous.register(ns, server, question["ttl"].as_u64())?)
}

fn unregister(swarm: &mut Swarm<Asking>, server: PeerId, question: &Value) -> Result<(), Failure> {
    let ns = namespace(question)?.ok_or("a namespace is needed")?;
    swarm.behaviour_mut().rendezvous.unregister(ns, server);
    Ok(())
}

fn discover(swarm: &mut Swarm<Asking>, server: PeerId, question: &Value) -> Result<(), Failure> {
    let ns = namespace(question)?;
    let cookie = question["cookie"].as_str().map(cookie_of).transpose()?;
    swarm.behaviour_mut().rendezvous.discover(ns, cookie, question["limit"].as_u64(), server);
    Ok(())
}

fn reply_of(event: client::Event) -> Option<Value> {
    Some(match event {
        client::Event::Registered { ttl, .. } => json!({ "ttl": ttl }),
        client::Event::RegisterFailed { error, .. } => json!({ "error": name_of(error) }),
        client::Event::DiscoverFailed { error, .. } => json!({ "error": name_of(error) }),
        client::Event::Discovered { registrations, cookie, .. } => json!({
            "peers": registrations.iter().map(|one| one.record.peer_id().to_string()).collect::<Vec<_>>(),
            "cookie": hex_of(&cookie.into_wire_encoding()),
        }),
        client::Event::Expired { .. } => return None,
    })
}

fn name_of(error: ErrorCode) -> &'static str {
    match error {
        ErrorCode::InvalidNamespace => "E_INVALID_NAMESPACE",
        ErrorCode::InvalidSignedPeerRecord => "E_INVALID_SIGNED_PEER_RECORD",
        ErrorCode::InvalidTtl => "E_INVALID_TTL",
        ErrorCode::InvalidCookie => "E_INVALID_COOKIE",
        ErrorCode::NotAuthorized => "E_NOT_AUTHORIZED",
        ErrorCode::InternalError => "E_INTERNAL_ERROR",
        ErrorCode::Unavailable => "E_UNAVAILABLE",
    }
}

fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn cookie_of(hex: &str) -> Result<Cookie, Failure> {
    let bytes: Result<Vec<u8>, _> = (0..hex.len() / 2)
        .map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16))
        .collect();
    Ok(Cookie::from_wire_encoding(bytes?)?)
}
