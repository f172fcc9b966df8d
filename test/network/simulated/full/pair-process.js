import '../../../../src/node-shim.js'
import { Driver } from '../../../../src/network/simulated/driver.js'
import { installVirtualEnvironment } from '../../../../src/network/simulated/environment.js'

/**
 * Two whole nodes in a process of their own: they connect, subscribe, and one publishes a message.
 *
 *     node pair-process.js '{"security":"noise","muxer":"yamux"}'
 */
const environment = installVirtualEnvironment()
const { generateKeyPairFromSeed } = await import('@libp2p/crypto/keys')
const { LinkModel } = await import('../../../../src/network/links/link-model.js')
const { FREE } = await import('../../../../src/network/simulated/processing.js')
const { WholeNetwork } = await import('../../../../src/network/simulated/full/whole-network.js')
const { subStream } = await import('../../../../src/kit/random.js')

const SECOND_NS = 1e9
const TOPIC = 'pair'
const LATENCY_MS = 100
const { security, muxer, tcp, dials = false } = JSON.parse(process.argv[2])

const { time } = environment
const driver = new Driver(environment)
environment.restart(1)
const model = new LinkModel(
  {
    latency: { kind: 'constant', ms: LATENCY_MS },
    jitter: null,
    lossShare: 0,
    upBytesPerSecond: null,
    downBytesPerSecond: null,
    linkBytesPerSecond: null,
    cuts: [],
    layers: { muxer: null, security: null, tcp: true },
    tcp
  },
  { nodes: 2, streams: (...name) => subStream(1, ...name) }
)
const network = new WholeNetwork(time, { model, security, muxer })
/** @type {unknown[]} what happened, and when */
const seen = []
const note = (/** @type {unknown[]} */ ...what) => seen.push([time.nowNs / 1e6, ...what])

/** @param {number} number @param {() => Promise<unknown>} act */
const at = (number, act) =>
  driver.passUntil(
    new Promise((resolve, reject) => time.at(time.nowNs, number, () => void act().then(resolve, reject))),
    30 * SECOND_NS
  )

for (const number of [0, 1]) {
  const privateKey = await generateKeyPairFromSeed('Ed25519', new Uint8Array(32).fill(number + 1))
  await at(number, async () => {
    const node = await network.add({ number, privateKey, gossipsub: {}, processing: FREE })
    node.gossipsub.addEventListener('gossipsub:graft', () => note('graft', number))
    node.gossipsub.addEventListener('message', ({ detail }) =>
      note('message', number, detail.data.length, 'signature' in detail)
    )
    await node.start()
    node.gossipsub.subscribe(TOPIC)
  })
}
if (dials) {
  const { multiaddr } = await import('@multiformats/multiaddr')
  const noted = (/** @type {Error} */ { message }) => note('error', message)
  const { peerId } = network.node(1)
  await at(0, () =>
    network
      .node(0)
      .dial(multiaddr(`/ip4/10.0.0.9/tcp/4001/p2p/${peerId}`))
      .catch(noted)
  )
  const signal = AbortSignal.timeout(150)
  await at(0, () =>
    network
      .node(0)
      .dial(network.node(1).multiaddr, { signal })
      .catch(() => note('error', 'given up'))
  )
  await driver.pass(SECOND_NS)
}
await at(0, () => network.dial(0, 1))
note('connected', ...network.nodes.map(node => node.connectionManager.getConnections().length))
await driver.pass(5 * SECOND_NS)
const [{ encryption, multiplexer, remoteAddr }] = network.node(1).connectionManager.getConnections()
note('connection', encryption, multiplexer, remoteAddr.toString())
await at(0, () => network.node(0).gossipsub.publish(TOPIC, new Uint8Array(1000)))
note('published')
await driver.pass(2 * SECOND_NS)
for (const node of network.nodes) await at(node.number, () => node.stop())
note('stopped')
await driver.pass(10 * SECOND_NS)
note('left', ...network.nodes.map(node => node.connectionManager.getConnections().length))
driver.stop()
process.stdout.write(JSON.stringify(seen))
