import { present } from '../../../kit/lists.js'
import { counted, grouped, MISSING, significant, spell } from '../../../kit/numbers.js'
import { share } from '../../../report/share.js'
import { figure } from '../../../report/table.js'
import {
  livesInWords as livesOf,
  rotatingInWords,
  sinceStartInWords
} from '../../rotate/view/rotate-words.js'

/**
 * @typedef {import('../rotate-rendezvous-types.js').RotateRendezvous} RotateRendezvous
 * @typedef {import('../rotate-rendezvous-types.js').RecordCount} RecordCount
 * @typedef {import('../plan/rotate-rendezvous-plan.js').RotateRendezvousPlan} RotateRendezvousPlan
 */

/** rotatingPeers says what rotates. @param {RotateRendezvousPlan} plan */
export const rotatingPeers = plan => rotatingInWords(plan, 'peers')

/** registering says how long what peers register holds. @param {RotateRendezvousPlan} plan */
export const registering = ({ ttlSeconds, refreshEveryMs, nNamespaces }) =>
  `registrations in ${counted(nNamespaces, 'namespace')} that hold for ${spell(ttlSeconds * 1000)}, renewed each ${spell(refreshEveryMs)}`

/** cookieWords say what a DISCOVER asks for. @param {Pick<RotateRendezvousPlan, 'cookies'>} plan */
export const cookieWords = ({ cookies }) =>
  cookies
    ? 'each DISCOVER but the first asks for what is new, by cookie'
    : 'each DISCOVER asks for everything, without cookie'

/** livesInWords says how many peers came and went. @param {RotateRendezvous} rotation */
export const livesInWords = ({ lives }) => livesOf(lives, 'peer', 'the server')

/** staleShare writes the share of records of dead peers. @param {RecordCount} count @returns {string} `–` of none */
export const staleShare = ({ records, stale }) => (records === 0 ? MISSING : `${share(stale, records)} %`)

/** staleInWords says how much of what discoverers were given was stale. @param {RotateRendezvous} rotation */
export function staleInWords({ discovered: { withDuplicates, withoutDuplicates, replies } }) {
  if (withDuplicates.records === 0)
    return `${counted(replies, 'reply', 'replies')} to DISCOVER held no record of another peer`
  return `${staleShare(withDuplicates)} of ${counted(withDuplicates.records, 'record')} in replies to DISCOVER were stale, of peers that had been killed; without duplicates ${staleShare(withoutDuplicates)} of ${grouped(withoutDuplicates.records)}`
}

/** duplicatesInWords says which records a discoverer had been given before. @param {RotateRendezvous} rotation */
export const duplicatesInWords = ({
  discovered: {
    duplicates: { inOneReply, again, renewed }
  }
}) =>
  `${counted(inOneReply + again + renewed, 'record was a duplicate', 'records were duplicates')}: ${grouped(again)} given to the same discoverer again, ${grouped(renewed)} so too after the peer had registered again, ${grouped(inOneReply)} twice in one reply`

/** leftInWords says what became of what killed peers left. @param {RotateRendezvous} rotation */
export function leftInWords({ left: { registrations, expired, lastSeenAfterKill, expiryLag, overdue } }) {
  const first = `killed peers left ${counted(registrations, 'registration')}, ${grouped(expired)} of which expired within the measurement`
  if (expiryLag === null) return first
  const [avg, max] = [lastSeenAfterKill.avg, lastSeenAfterKill.max].map(time => spell(time?.ms ?? 0))
  return `${first}; the last reply with one of these came ${avg} after the kill on average, ${max} at most, and ${relativeToExpiry(expiryLag.median)} (median; at the latest ${relativeToExpiry(expiryLag.max)}); ${overdue === 0 ? 'none was' : counted(overdue, 'was', 'were')} given to a DISCOVER sent after that`
}

/** @param {number} ms */
const relativeToExpiry = ms =>
  `${significant(Math.abs(ms))} ms ${ms > 0 ? 'after' : 'before'} the end of its time to live`

/** visibleInWords says how soon new registrations were seen. @param {RotateRendezvous} rotation */
export function visibleInWords({ visible }) {
  const { registrations, seen, delay, killedUnseen, endedUnseen } = visible
  if (registrations === 0) return 'no new peer registered'
  const unseen = present([
    killedUnseen > 0 && `${grouped(killedUnseen)} until the peer was killed`,
    endedUnseen > 0 && `${grouped(endedUnseen)} until the end`
  ])
  const others = unseen.length === 0 ? '' : `; not seen: ${unseen.join(', ')}`
  return `${grouped(seen)} of ${counted(registrations, 'new registration')} were seen by another peer, ${figure(delay.known.avg)} ms after the reply to REGISTER on average, ${figure(delay.known.max)} ms at most${others}`
}

/** firstDiscoveryInWords says how long new peers took. @param {RotateRendezvous} rotation */
export const firstDiscoveryInWords = ({ firstDiscovery }) =>
  sinceStartInWords(firstDiscovery, {
    one: 'peer',
    what: 'first discovery',
    none: 'none of the new peers discovered another one'
  })

/** perMinuteInWords says how many operations there were in a minute. @param {RotateRendezvous} rotation */
export const perMinuteInWords = ({ operationsPerMinute }) =>
  operationsPerMinute === null ? null : `${significant(operationsPerMinute)} operations per minute`
