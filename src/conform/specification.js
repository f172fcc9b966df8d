/** SPECIFICATION is what checks are held against. */
export const SPECIFICATION = {
  title: 'libp2p rendezvous, r3 of 2021-07-12',
  url: 'https://github.com/libp2p/specs/blob/master/rendezvous/README.md'
}

/**
 * SAYS holds the sentences of the specification that checks stand for. Those in brackets are in substance what revision 3 added
 * (libp2p/specs#348); lines of code are of its protobuf.
 */
export const SAYS = {
  PROTOCOL: 'The rendezvous protocol runs over libp2p streams using the protocol id `/rendezvous/1.0.0`.',
  ONLY_ITSELF:
    'It is not allowed to register arbitrary peers in a namespace; only the peer initiating the registration can register itself.',
  RECORD:
    'The register message contains a serialized signed peer record created by the peer, which can be validated by others.',
  QUERY:
    'The query specifies the namespace for limiting application scope and optionally a maximum number of peers to return.',
  ALL: 'The namespace can be omitted in the query, which asks for all peers registered to the rendezvous point.',
  COOKIE:
    "The query can also include a cookie, obtained from the response to a previous query, such that only registrations that weren't included in the previous response will be returned.",
  PAGES:
    'It also allows for pagination of query responses, so that large numbers of peer registrations can be managed.',
  RESPONDS: 'The rendezvous point responds with the list of current peer registrations and a cookie.',
  PERSISTS: 'If a TTL is specified, then the registration persists until the TTL expires.',
  DEFAULT_TTL: 'If no TTL was specified, then a default of 2hrs is implied.',
  INADMISSIBLE:
    'If the TTL of a registration is inadmissible, the rendezvous point may reject the registration with an `E_INVALID_TTL` status.',
  REFRESH:
    'Peers can refresh their registrations at any time with a new `REGISTER` message; the TTL of the new message supersedes previous registrations.',
  CANCEL: 'Peers can also cancel existing registrations at any time with an explicit `UNREGISTER` message.',
  NO_RESPONSE: '(`UNREGISTER` has no response.)',
  NO_OP: '(`UNREGISTER` for a namespace that the peer is not registered for is a no-op.)',
  NO_ID: '(Field 2 of `UNREGISTER`, `id`, is deprecated: a peer unregisters itself.)',
  ACTUAL_TTL:
    'The registration response includes the actual TTL of the registration, so that peers know when to refresh.',
  MIN_TTL: 'Rendezvous points should have a minimum acceptable ttl of `2H`.',
  MAX_TTL: 'Rendezvous points should have a maximum acceptable ttl of `72H`.',
  MAX_NAMESPACE: 'Rendezvous points should have a maximum namespace length of `255`.',
  MAX_PER_PEER: 'Rendezvous points are recommended to allow a maximum of `1000` registrations for each peer.',
  MAX_PER_QUERY: 'A maximum of `1000` peers should be returned per namespace query.',
  NAMESPACE: '`optional string ns = 1;`',
  TTL: '`optional uint64 ttl = 3; // in seconds`',
  LIMIT: '`optional uint64 limit = 2;`',
  BAD_NAMESPACE: '`E_INVALID_NAMESPACE = 100;`',
  BAD_RECORD: '`E_INVALID_SIGNED_PEER_RECORD = 101;`',
  BAD_COOKIE: '`E_INVALID_COOKIE = 103;`'
}
