// Conformance checks of REGISTER and UNREGISTER requests and of signed peer records.
import { setTimeout as sleep } from 'node:timers/promises'
import { makeRegistrantAddress } from '../../client/identities.js'
import {
  openSignedRecord,
  RecordDomain,
  readSignedRecordUnverified,
  sealPeerRecord
} from '../../protocol/signed-record.js'
import { describePeers, TWO_HOURS_SECONDS } from './check-session.js'
import {
  areSamePeers,
  differsVerdict,
  failVerdict,
  formatPeers,
  judgeCondition,
  judgeRefusal,
  passVerdict,
  SENTENCES,
  UntestableError,
  untestedVerdict
} from './verdict.js'

/** @typedef {import('../examination.js').ConformanceCheck} ConformanceCheck */

const HOURS_72 = 259_200
const LONGEST = 255
const SHORT_SECONDS = 3
/** Of a registration that has run out: for a target that clears up now and then. */
const EXPIRED_WITHIN_MS = 12_000
const HUGE = 2n ** 64n - 1n

/** REGISTER_CHECKS are checks of REGISTER and UNREGISTER. @type {readonly ConformanceCheck[]} */
export const REGISTER_CHECKS = [
  {
    id: 'register',
    title: 'a peer registers and is told its time to live',
    sentence: SENTENCES.ACTUAL_TTL,
    needs: [],
    async run(visit) {
      const { ok, says, ttl = 0 } = await visit.register('A')
      return judgeCondition(ok && ttl > 0, `REGISTER was answered by ${says}`)
    }
  },
  {
    id: 'ttl-default',
    title: 'without a time to live it is two hours',
    sentence: SENTENCES.DEFAULT_TTL,
    async run(visit) {
      const { ok, says, ttl } = await visit.register('A', { ttl: null })
      return judgeCondition(ok && ttl === TWO_HOURS_SECONDS, `answered by ${says}`)
    }
  },
  {
    id: 'ttl-longest',
    title: 'a time to live of 72 hours is taken',
    sentence: SENTENCES.MAX_TTL,
    async run(visit) {
      const { ok, says, ttl } = await visit.register('A', { ttl: HOURS_72 })
      return judgeCondition(ok && ttl === HOURS_72, `answered by ${says}`, differsVerdict)
    }
  },
  {
    id: 'ttl-too-long',
    title: 'a time to live above 72 hours is refused: E_INVALID_TTL',
    sentence: SENTENCES.INADMISSIBLE,
    run: async visit =>
      judgeRefusal(await visit.register('A', { ttl: HOURS_72 + 1 }), ['E_INVALID_TTL'], differsVerdict)
  },
  {
    id: 'ttl-too-short',
    title: 'a time to live below two hours is refused: E_INVALID_TTL',
    sentence: SENTENCES.MIN_TTL,
    run: async visit =>
      judgeRefusal(
        await visit.register('A', { ttl: TWO_HOURS_SECONDS - 1 }),
        ['E_INVALID_TTL'],
        differsVerdict
      )
  },
  {
    id: 'ttl-zero',
    title: 'a time to live of 0 is refused: E_INVALID_TTL',
    run: async visit => judgeRefusal(await visit.register('A', { ttl: 0 }), ['E_INVALID_TTL'], differsVerdict)
  },
  {
    id: 'ttl-huge',
    title: 'a time to live of 2^64 − 1 s is refused: E_INVALID_TTL',
    sentence: SENTENCES.TTL,
    run: async visit =>
      judgeRefusal(await visit.register('A', { ttl: HUGE }), ['E_INVALID_TTL'], differsVerdict)
  },
  {
    id: 'ttl-told',
    title: 'who discovers a peer is told a time to live, at most what was granted',
    async run(visit) {
      const { ttl: granted = 0 } = await visit.registered('A')
      const ttl = (await visit.discovered()).registrations[0]?.ttl ?? null
      const fits = ttl !== null && ttl > 0 && ttl <= granted
      return judgeCondition(fits, `granted ${granted} s, then told ${ttl ?? 'none'}`, differsVerdict)
    }
  },
  {
    id: 'namespace-none',
    title: 'REGISTER without a namespace is refused: E_INVALID_NAMESPACE',
    run: async visit =>
      judgeRefusal(await visit.register('A', { ns: null }), ['E_INVALID_NAMESPACE'], differsVerdict)
  },
  {
    id: 'namespace-longest',
    title: 'a namespace of 255 bytes is taken, and found',
    sentence: SENTENCES.MAX_NAMESPACE,
    async run(visit) {
      const ns = visit.ns.padEnd(LONGEST, 'x')
      const { ok, says } = await visit.register('A', { ns })
      if (!ok) return differsVerdict(`refused by ${says}`)
      const { names } = await visit.discover({ ns })
      return judgeCondition(areSamePeers(names, 'A'), `found ${formatPeers(names)}`)
    }
  },
  {
    id: 'namespace-too-long',
    title: 'a namespace of 256 bytes is refused: E_INVALID_NAMESPACE',
    sentence: SENTENCES.BAD_NAMESPACE,
    async run(visit) {
      const ns = visit.ns.padEnd(LONGEST + 1, 'x')
      return judgeRefusal(await visit.register('A', { ns }), ['E_INVALID_NAMESPACE'], differsVerdict)
    }
  },
  {
    id: 'namespace-in-bytes',
    title: 'a namespace is measured in bytes: 200 letters of two bytes are refused',
    run: async visit =>
      judgeRefusal(
        await visit.register('A', { ns: visit.ns.padEnd(200, 'é') }),
        ['E_INVALID_NAMESPACE'],
        differsVerdict
      )
  },
  {
    id: 'namespace-letters',
    title: 'a namespace of letters beyond ASCII is found under this name alone',
    sentence: SENTENCES.NAMESPACE,
    async run(visit) {
      const ns = `${visit.ns}-été-日本-🦀`
      await visit.registered('A', { ns })
      const exact = await visit.discovered({ ns })
      const similar = await visit.discovered({ ns: ns.replace('été', 'ete') })
      return judgeCondition(
        areSamePeers(exact.names, 'A') && similar.names.length === 0,
        `found ${formatPeers(exact.names)}, under a similar name ${formatPeers(similar.names)}`
      )
    }
  },
  {
    id: 'renew',
    title: 'a peer that registers again is found once, with its new time to live',
    sentence: SENTENCES.REFRESH,
    run: visit => renewal(visit, TWO_HOURS_SECONDS, 2 * TWO_HOURS_SECONDS)
  },
  {
    id: 'renew-shorter',
    title: 'a shorter time to live takes the place of a longer one',
    sentence: SENTENCES.REFRESH,
    run: visit => renewal(visit, 2 * TWO_HOURS_SECONDS, TWO_HOURS_SECONDS)
  },
  {
    id: 'unregister',
    title: 'a peer that unregisters is found no more, there alone',
    sentence: SENTENCES.CANCEL,
    async run(visit) {
      const other = `${visit.ns}-other`
      for (const ns of [visit.ns, other]) await visit.registeredAll('A B', { ns })
      await visit.unregister('A')
      if (!(await visit.waitForRemoval('A'))) return failVerdict('still found')
      const [here, there] = [await visit.discovered(), await visit.discovered({ ns: other })]
      return judgeCondition(
        areSamePeers(here.names, 'B') && areSamePeers(there.names, 'A B'),
        `left are ${describePeers(here.registrations)}, in another namespace ${describePeers(there.registrations)}`
      )
    }
  },
  {
    id: 'unregister-silent',
    title: 'UNREGISTER has no reply',
    sentence: SENTENCES.NO_RESPONSE,
    async run(visit) {
      await visit.registered('A')
      const { how, says } = await visit.unregister('A')
      return judgeCondition(how !== 'reply', `answered by ${says}`)
    }
  },
  {
    id: 'unregister-nothing',
    title: 'UNREGISTER where the peer is not registered changes nothing',
    sentence: SENTENCES.NO_OP,
    async run(visit) {
      await visit.registered('B')
      await visit.unregister('A')
      const { names } = await visit.discovered()
      const { ok, says } = await visit.register('A')
      const outcome = `then found ${formatPeers(names)}, and REGISTER was answered by ${says}`
      return judgeCondition(areSamePeers(names, 'B') && ok, outcome)
    }
  },
  {
    id: 'unregister-own-id',
    title: 'UNREGISTER with the deprecated field id works',
    sentence: SENTENCES.NO_ID,
    async run(visit) {
      await visit.registered('A')
      await visit.unregister('A', { id: (await visit.target.peers.of('A')).id })
      return judgeCondition(await visit.waitForRemoval('A'), 'still found')
    }
  },
  {
    id: 'unregister-others',
    title: 'nobody unregisters another peer, whatever the field id says',
    sentence: SENTENCES.NO_ID,
    async run(visit) {
      await visit.registeredAll('A B')
      await visit.unregister('B', { id: (await visit.target.peers.of('A')).id })
      const { names } = await visit.discovered()
      return judgeCondition(
        names.includes('A'),
        `found ${formatPeers(names)} after another peer's UNREGISTER`
      )
    }
  },
  {
    id: 'outlives-connection',
    title: 'a registration stays when its peer disconnects',
    sentence: SENTENCES.PERSISTS,
    async run(visit) {
      await visit.registered('A')
      await visit.target.peers.disconnect('A')
      await sleep(200, undefined, { signal: visit.signal })
      const { names } = await visit.discovered()
      return judgeCondition(areSamePeers(names, 'A'), `found ${formatPeers(names)}`)
    }
  },
  {
    id: 'expires',
    title: 'a registration is there until its time to live is over, and then gone',
    sentence: SENTENCES.PERSISTS,
    limitMs: 40_000,
    async run(visit) {
      const { ok, says, ttl = 0 } = await visit.register('A', { ttl: SHORT_SECONDS })
      if (!ok) return untestedVerdict(`a time to live of ${SHORT_SECONDS} s was refused by ${says}`)
      if (ttl > SHORT_SECONDS)
        return untestedVerdict(`granted ${ttl} s where ${SHORT_SECONDS} s were asked for`)
      if (!areSamePeers((await visit.discovered()).names, 'A')) return failVerdict('not found at once')
      const removed = await visit.waitForRemoval('A', visit.ns, SHORT_SECONDS * 1000 + EXPIRED_WITHIN_MS)
      return removed ? passVerdict() : failVerdict(`still found ${EXPIRED_WITHIN_MS / 1000} s after its end`)
    }
  }
]

/** @param {import('./check-session.js').CheckSession} visit @param {number} before - seconds @param {number} after - seconds */
async function renewal(visit, before, after) {
  await visit.registered('A', { ttl: before })
  const { ok, says, ttl } = await visit.register('A', { ttl: after })
  if (!ok) return failVerdict(`answered by ${says}`)
  if (ttl !== after)
    return (ttl !== undefined && ttl < after ? differsVerdict : failVerdict)(`answered by ${says}`)
  const { registrations } = await visit.discovered()
  const discoveredTtl = registrations[0]?.ttl ?? after
  // a server may reply with the remaining time to live
  const fits = discoveredTtl <= after && discoveredTtl > Math.min(before, after) - 60
  return judgeCondition(
    registrations.length === 1 && fits && (after < before || discoveredTtl > before),
    `found ${describePeers(registrations)}, with ${discoveredTtl} s`
  )
}

/**
 * @typedef {import('./check-session.js').CheckSession} CheckSession
 */

/** RECORD_CHECKS are checks of signed peer records. @type {readonly ConformanceCheck[]} */
export const RECORD_CHECKS = [
  {
    id: 'record',
    title: 'a record is handed on as it was signed',
    sentence: SENTENCES.RECORD,
    async run(visit) {
      const record = await visit.record('A')
      await visit.registered('A', { record })
      const { registrations } = await visit.discovered()
      if (registrations.length === 0) return failVerdict('found nobody')
      if (Buffer.compare(registrations[0].record, record) === 0) return passVerdict()
      const valid = await openSignedRecord(registrations[0].record).then(
        () => true,
        () => false
      )
      return (valid ? differsVerdict : failVerdict)(`another record, ${valid ? 'validly' : 'not'} signed`)
    }
  },
  {
    id: 'record-of-others',
    title: 'a peer does not register another one: E_NOT_AUTHORIZED',
    sentence: SENTENCES.ONLY_ITSELF,
    run: async visit => refusedAndAbsent(visit, await visit.record('B'), ['E_NOT_AUTHORIZED'])
  },
  {
    id: 'record-of-others-own-key',
    title: 'a record of another peer, signed with the own key, is refused',
    sentence: SENTENCES.ONLY_ITSELF,
    run: async visit =>
      refusedAndAbsent(visit, await forgeRecord(visit), ['E_INVALID_SIGNED_PEER_RECORD', 'E_NOT_AUTHORIZED'])
  },
  {
    id: 'record-signature',
    title: 'a record with a wrong signature is refused: E_INVALID_SIGNED_PEER_RECORD',
    sentence: SENTENCES.BAD_RECORD,
    async run(visit) {
      const record = (await visit.record('A')).slice()
      record[record.length - 1] ^= 1
      return refusedAndAbsent(visit, record, ['E_INVALID_SIGNED_PEER_RECORD'])
    }
  },
  {
    id: 'record-none',
    title: 'REGISTER without a record is refused: E_INVALID_SIGNED_PEER_RECORD',
    sentence: SENTENCES.BAD_RECORD,
    run: visit => refusedAndAbsent(visit, null, ['E_INVALID_SIGNED_PEER_RECORD'])
  },
  {
    id: 'record-junk',
    title: 'bytes that are no record are refused: E_INVALID_SIGNED_PEER_RECORD',
    sentence: SENTENCES.BAD_RECORD,
    run: visit => refusedAndAbsent(visit, Buffer.from('not a record'), ['E_INVALID_SIGNED_PEER_RECORD'])
  },
  {
    id: 'record-older',
    title: 'a record with an older sequence number does not take the place of a newer one',
    async run(visit) {
      await visit.registered('A', { record: await visit.record('A', { seq: 2 }) })
      const { ok, says } = await visit.register('A', { record: await visit.record('A', { seq: 1 }) })
      const { registrations } = await visit.discovered()
      const sequence =
        registrations.length === 1 ? readSignedRecordUnverified(registrations[0].record).seq : null
      return judgeCondition(
        sequence === 2n,
        `${ok ? 'accepted' : `refused by ${says}`}; found is number ${sequence}`,
        differsVerdict
      )
    }
  },
  ...Object.values(RecordDomain).map(domain => ({
    id: `record-${domain.replace('libp2p-', '')}`,
    title: `a record sealed for ${domain} is taken`,
    needs: [],
    /** @param {CheckSession} visit */
    async run(visit) {
      const { ok, says } = await visit.register('A', { record: await visit.record('A', { domain }) })
      return judgeCondition(ok, `refused by ${says}`, differsVerdict)
    }
  })),
  ...['RSA', 'secp256k1'].map(type => ({
    id: `key-${type.toLowerCase()}`,
    title: `a peer with a key of type ${type} registers and is found`,
    /** @param {CheckSession} visit */
    async run(visit) {
      const connected = await visit.target.peers.connection(type, visit.signal).catch(() => null)
      if (connected === null) return differsVerdict('no connection is taken from it')
      const { ok, says } = await visit.register(type)
      if (!ok) return differsVerdict(`refused by ${says}`)
      const { names } = await visit.discovered()
      return judgeCondition(areSamePeers(names, type), `found ${formatPeers(names)}`)
    }
  }))
]

/** @param {CheckSession} visit @param {Uint8Array | null} record @param {Parameters<typeof judgeRefusal>[1]} expected */
async function refusedAndAbsent(visit, record, expected) {
  const verdict = judgeRefusal(await visit.register('A', { record }), expected)
  const { ok, names } = await visit.discover()
  // not under the id of who sent it
  if (names.includes('B')) await visit.unregister('B')
  return ok && names.length > 0 ? failVerdict(`${verdict.found}; then found ${formatPeers(names)}`) : verdict
}

/** A record that names B, signed with A's key: the bytes of B's id take the place of A's before it is signed. @param {CheckSession} visit */
async function forgeRecord(visit) {
  const { peers, domain } = visit.target
  const [a, b] = [await peers.of('A'), await peers.of('B')]
  if (a.id.length !== b.id.length) throw new UntestableError('ids of another length')
  const withOtherId = (/** @type {Uint8Array} */ bytes) => {
    const copy = Buffer.from(bytes)
    const at = copy.indexOf(a.id)
    if (at >= 0) b.id.copy(copy, at)
    return copy
  }
  const { publicKey } = readSignedRecordUnverified(await visit.record('A'))
  const privateKey = {
    publicKey,
    sign: (/** @type {Uint8Array} */ message) => a.privateKey.sign(withOtherId(message))
  }
  return withOtherId(
    await sealPeerRecord({ privateKey, addresses: [makeRegistrantAddress(0)], seq: 1, domain })
  )
}
