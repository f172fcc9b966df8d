/**
 * @typedef {object} Plan - the complete, validated, frozen parameters of one run. Keys are the flags' names, with the unit
 *   where a value has one
 * @property {'rendezvous'} scenario
 * @property {number} seed
 * @property {number} nClients
 * @property {number} nNamespaces
 * @property {number} initialRegistrations
 * @property {number | null} benchmarkRuns - total operations of a round; null: --duration was given
 * @property {number | null} durationMs
 * @property {'REGISTER' | 'DISCOVER' | 'UNREGISTER' | 'MIXED'} benchmarkType
 * @property {{ register: number, discover: number, unregister: number } | null} mix - shares that add up to 1; null unless MIXED
 * @property {number} discoverLimit
 * @property {boolean} discoverInexistentNamespaces
 * @property {string | null} target - multiaddr; null: our server is started
 * @property {number | null} targetPid
 * @property {boolean} iOwnTheTarget
 * @property {number} workers
 * @property {number | null} ratePerSecond - null: closed model
 * @property {'constant' | 'poisson'} arrivals
 * @property {number} maxInFlight
 * @property {number} timeoutMs
 * @property {boolean} connectionPerOperation
 * @property {boolean} streamPerOperation
 * @property {number} inFlight - on one long-lived stream; 1 with streamPerOperation
 * @property {'new' | 'refresh'} registerMode
 * @property {number} ttlSeconds
 * @property {'libp2p-peer-record' | 'libp2p-routing-state'} recordDomain
 * @property {number} minDurationMs
 * @property {number} warmupMs
 * @property {number} probeRatePerSecond - 0: no probe
 * @property {boolean} samples
 * @property {number} maxPeerRegistrations - cap of our server
 * @property {number} maxDiscoverLimit - cap of our server
 */

export {}
