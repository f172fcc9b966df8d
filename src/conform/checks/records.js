import { registrantAddress } from '../../client/registrant-records.js'
import {
  openSignedRecord,
  RecordDomain,
  readSignedRecordUnverified,
  sealPeerRecord
} from '../../protocol/signed-record.js'
import { SAYS } from '../specification.js'
import { differs, fail, holds, listed, pass, refusal, same, Untestable } from '../verdict.js'

/**
 * @typedef {import('../examine.js').Check} Check
 * @typedef {import('../visit.js').Visit} Visit
 */

/** RECORDS are checks of signed peer records. @type {readonly Check[]} */
export const RECORDS = [
  {
    id: 'record',
    title: 'a record is handed on as it was signed',
    sentence: SAYS.RECORD,
    async run(visit) {
      const record = await visit.record('A')
      await visit.registered('A', { record })
      const { found } = await visit.discovered()
      if (found.length === 0) return fail('found nobody')
      if (Buffer.compare(found[0].record, record) === 0) return pass()
      const valid = await openSignedRecord(found[0].record).then(
        () => true,
        () => false
      )
      return (valid ? differs : fail)(`another record, ${valid ? 'validly' : 'not'} signed`)
    }
  },
  {
    id: 'record-of-others',
    title: 'a peer does not register another one: E_NOT_AUTHORIZED',
    sentence: SAYS.ONLY_ITSELF,
    run: async visit => refusedAndAbsent(visit, await visit.record('B'), ['E_NOT_AUTHORIZED'])
  },
  {
    id: 'record-of-others-own-key',
    title: 'a record of another peer, signed with the own key, is refused',
    sentence: SAYS.ONLY_ITSELF,
    async run(visit) {
      const record = await forged(visit)
      return refusedAndAbsent(visit, record, ['E_INVALID_SIGNED_PEER_RECORD', 'E_NOT_AUTHORIZED'])
    }
  },
  {
    id: 'record-signature',
    title: 'a record with a wrong signature is refused: E_INVALID_SIGNED_PEER_RECORD',
    sentence: SAYS.BAD_RECORD,
    async run(visit) {
      const record = (await visit.record('A')).slice()
      record[record.length - 1] ^= 1
      return refusedAndAbsent(visit, record, ['E_INVALID_SIGNED_PEER_RECORD'])
    }
  },
  {
    id: 'record-none',
    title: 'REGISTER without a record is refused: E_INVALID_SIGNED_PEER_RECORD',
    sentence: SAYS.BAD_RECORD,
    run: visit => refusedAndAbsent(visit, null, ['E_INVALID_SIGNED_PEER_RECORD'])
  },
  {
    id: 'record-junk',
    title: 'bytes that are no record are refused: E_INVALID_SIGNED_PEER_RECORD',
    sentence: SAYS.BAD_RECORD,
    run: visit => refusedAndAbsent(visit, Buffer.from('not a record'), ['E_INVALID_SIGNED_PEER_RECORD'])
  },
  {
    id: 'record-older',
    title: 'a record with an older sequence number does not take the place of a newer one',
    async run(visit) {
      await visit.registered('A', { record: await visit.record('A', { seq: 2 }) })
      const { ok, says } = await visit.register('A', { record: await visit.record('A', { seq: 1 }) })
      const { found } = await visit.discovered()
      const kept = found.length === 1 ? readSignedRecordUnverified(found[0].record).seq : null
      return holds(kept === 2n, `${ok ? 'accepted' : `refused by ${says}`}; found is number ${kept}`, differs)
    }
  },
  ...Object.values(RecordDomain).map(domain => ({
    id: `record-${domain.replace('libp2p-', '')}`,
    title: `a record sealed for ${domain} is taken`,
    needs: [],
    /** @param {Visit} visit */
    async run(visit) {
      const { ok, says } = await visit.register('A', { record: await visit.record('A', { domain }) })
      return holds(ok, `refused by ${says}`, differs)
    }
  })),
  ...['RSA', 'secp256k1'].map(type => ({
    id: `key-${type.toLowerCase()}`,
    title: `a peer with a key of type ${type} registers and is found`,
    /** @param {Visit} visit */
    async run(visit) {
      const connected = await visit.target.peers.connection(type, visit.signal).catch(() => null)
      if (connected === null) return differs('no connection is taken from it')
      const { ok, says } = await visit.register(type)
      if (!ok) return differs(`refused by ${says}`)
      const { names } = await visit.discovered()
      return holds(same(names, type), `found ${listed(names)}`)
    }
  }))
]

/** @param {Visit} visit @param {Uint8Array | null} record @param {Parameters<typeof refusal>[1]} expected */
async function refusedAndAbsent(visit, record, expected) {
  const verdict = refusal(await visit.register('A', { record }), expected)
  const { ok, names } = await visit.discover()
  // not under the id of who sent it
  if (names.includes('B')) await visit.unregister('B')
  return ok && names.length > 0 ? fail(`${verdict.found}; then found ${listed(names)}`) : verdict
}

/** A record that names B, signed with A's key: the bytes of B's id take the place of A's before it is signed. @param {Visit} visit */
async function forged(visit) {
  const { peers, domain } = visit.target
  const [a, b] = [await peers.of('A'), await peers.of('B')]
  if (a.id.length !== b.id.length) throw new Untestable('ids of another length')
  const publicKey = readSignedRecordUnverified(await visit.record('A')).publicKey
  const signer = {
    publicKey,
    /** @param {Uint8Array} message */
    sign: message => a.privateKey.sign(replaced(message, a.id, b.id))
  }
  const sealed = await sealPeerRecord({
    privateKey: signer,
    addresses: [registrantAddress(0)],
    seq: 1,
    domain
  })
  return replaced(sealed, a.id, b.id)
}

/** @param {Uint8Array} bytes @param {Buffer} from @param {Buffer} to - as long */
function replaced(bytes, from, to) {
  const copy = Buffer.from(bytes)
  const at = copy.indexOf(from)
  if (at >= 0) to.copy(copy, at)
  return copy
}
