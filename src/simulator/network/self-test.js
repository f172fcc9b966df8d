// Self-test before each simulation: three nodes show that gossipsub grafts, delivers and requests messages at exactly
// the expected virtual times.
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { StrictNoSign } from '@libp2p/gossipsub'
import { makeCountingRegister } from '../../network/gossipsub.js'
import { LinkModel } from '../../network/link-model.js'
import { SimulatedNetwork } from '../simulated-network.js'
import { NO_PROCESSING_COSTS } from './node.js'

/**
 * @typedef {import('../virtual-environment.js').VirtualEnvironment} VirtualEnvironment
 * @typedef {import('../time/driver.js').TimeDriver} TimeDriver
 * @typedef {import('../../network/links/direction.js').Sending} Sending
 */

const TOPIC = 'self-test'
const SECOND_NS = 1e9
const LATENCY_NS = 10e6
/** Below the size from which IDONTWANT is sent. */
const PAYLOAD_BYTES = 1000
/** A heartbeat tells of a message, the next link brings the request, and one more the message. */
const REPAIR_NS = 3 * SECOND_NS

/** SelfTestError is thrown when gossipsub does not behave in the simulation as the protocol says. */
export class SelfTestError extends Error {
  name = 'SelfTestError'
  code = 'SIMULATION_SELF_TEST'
}

/** A mesh of two, which the third node cannot join, so that it hears of messages by gossip alone. */
const OPTIONS = Object.freeze({
  D: 1,
  Dlo: 1,
  Dhi: 1,
  Dscore: 1,
  Dout: 0,
  floodPublish: false,
  globalSignaturePolicy: StrictNoSign
})

/**
 * selfTest runs three nodes: one grafts another into its mesh, which gets a message after exactly the latency of their link; the
 * third asks for it (IWANT) when it has heard of it. A library that has changed so that the simulation misses something fails here
 * at once.
 *
 * @param {VirtualEnvironment} environment
 * @param {TimeDriver} driver
 * @param {(sending: Sending) => Sending} [through] - other links, for tests of this test
 * @returns {Promise<void>}
 * @throws {SelfTestError}
 */
export async function selfTest(environment, driver, through = sending => sending) {
  environment.restart(0)
  const { time } = environment
  const { register, counts } = makeCountingRegister()
  const model = new LinkModel(STEADY, { nodes: 3, streams: () => () => 0 })
  const network = new SimulatedNetwork(time, {
    sending: (...of) => through(model.sending(...of)),
    receiving: (...of) => model.receiving(...of),
    partitions: model.partitions
  })
  const options = { ...OPTIONS, metricsRegister: register, metricsTopicStrToLabel: new Map([[TOPIC, TOPIC]]) }
  /** @type {number[]} when each node received the message, since it was published */
  const receivedNs = []
  let publishedNs = 0
  for (const number of [0, 1, 2]) {
    const privateKey = await generateKeyPairFromSeed('Ed25519', new Uint8Array(32).fill(number + 1))
    const node = network.add({
      number,
      privateKey,
      gossipsub: options,
      processing: NO_PROCESSING_COSTS
    })
    node.gossipsub.addEventListener('message', () => {
      receivedNs[number] ??= time.nowNs - publishedNs
    })
    const start = async () => {
      await node.start()
      node.gossipsub.subscribe(TOPIC)
    }
    await driver.passUntil(start())
  }
  await driver.passUntil(network.dial(1, 0), SECOND_NS)
  await driver.pass(SECOND_NS)
  await driver.passUntil(Promise.all([network.dial(2, 0), network.dial(2, 1)]), SECOND_NS)
  await driver.pass(SECOND_NS)
  publishedNs = time.nowNs
  await driver.passUntil(network.node(0).gossipsub.publish(TOPIC, new Uint8Array(PAYLOAD_BYTES)))
  await driver.pass(REPAIR_NS)

  const [, mate, outsider] = network.nodes
  expect('a node grafts another', mate.gossipsub.getMeshPeers(TOPIC).length === 1 && counts().graftSent > 0)
  expect('a mesh peer receives a message after one latency', receivedNs[mate.number] === LATENCY_NS)
  expect('a node without a mesh hears of a message', counts().ihaveSent > 0)
  expect('it asks for the message', counts().iwantSent > 0)
  expect('it receives the message', receivedNs[outsider.number] > LATENCY_NS)
  await driver.passUntil(Promise.all(network.nodes.map(node => node.stop())))
}

/** @type {import('../../network/link-model.js').LinkSettings} */
const STEADY = {
  latency: { kind: 'constant', ms: LATENCY_NS / 1e6 },
  jitter: null,
  lossShare: 0,
  upBytesPerSecond: null,
  downBytesPerSecond: null,
  linkBytesPerSecond: null,
  cuts: [],
  layers: { muxer: null, security: null, tcp: false },
  tcp: false
}

/** @param {string} what @param {boolean} is */
function expect(what, is) {
  if (is) return
  throw new SelfTestError(
    `the self-test of the simulated network failed: not so is "${what}". Is @libp2p/gossipsub a version that it was tested with? See docs/simulation.md`
  )
}
