// Child process of a probe: a client that sends seldom, in a process that does nothing else. See probe.js.
import '../../src/node-shim.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { multiaddr } from '@multiformats/multiaddr'
import { createClientNode } from '../../src/client/node.js'
import { openSession } from '../../src/client/session.js'
import { encodeDiscover, encodeRegister } from '../../src/protocol/messages.js'
import { sealPeerRecord } from '../../src/protocol/signed-record.js'
import { ADDRESS } from './registrations.js'

/** Between two requests, ms: never in step with the load. */
const PAUSES = { min: 30, max: 70 }
/** Its code is compiled then. */
const WARM_UP = 3000

const [, , address, type] = process.argv
const now = process.hrtime.bigint

/** When bytes of a request were first handed to the system, and bytes of its reply last came. */
const wire = {
  writtenNs: /** @type {bigint | null} */ (null),
  readNs: 0n,
  wrote() {
    this.writtenNs ??= now()
  },
  read() {
    this.readNs = now()
  }
}

const privateKey = await generateKeyPair('Ed25519')
const node = await createClientNode({ privateKey, wire })
await node.start()
const connection = await node.dial(multiaddr(address))
const signedPeerRecord = await sealPeerRecord({ privateKey, addresses: [ADDRESS], seq: 1 })
const request =
  type === 'REGISTER'
    ? encodeRegister({ ns: 'probe', signedPeerRecord, ttl: 7200 })
    : encodeDiscover({ ns: 'probe', limit: 20 })

let wireNs = 0n

/**
 * @template T
 * @param {() => Promise<T>} send
 */
async function onWire(send) {
  wire.writtenNs = null
  const answer = await send()
  wireNs += wire.readNs - (wire.writtenNs ?? wire.readNs)
  return answer
}

/** One operation on a stream of its own, as those of a run by default. @returns {Promise<number>} ms */
async function exchange() {
  wireNs = 0n
  const session = await onWire(() => openSession(connection))
  const { message } = await onWire(() => session.request(request))
  if ((message.registerResponse ?? message.discoverResponse)?.status !== 0) throw new Error('refused')
  session.close().catch(() => {})
  return Number(wireNs) / 1e6
}

for (let i = 0; i < WARM_UP; i++) await exchange()

let probing = false

async function probe() {
  /** @type {number[]} */
  const times = []
  probing = true
  while (probing) {
    await sleep(PAUSES.min + Math.random() * (PAUSES.max - PAUSES.min))
    if (probing) times.push(await exchange())
  }
  process.send?.({ times })
}

process.on('message', word => {
  if (word === 'begin') probe()
  else probing = false
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
