import { counted } from '../kit/numbers.js'
import { differing } from './release.js'

/**
 * @typedef {import('./agent.js').AgentCard} AgentCard
 * @typedef {{ agent: string, why: string }} Refusal
 */

/** FleetError is thrown where agents cannot be had. */
export class FleetError extends Error {
  name = 'FleetError'
  code = 'NO_AGENTS'

  /** @param {readonly Refusal[]} refusals */
  constructor(refusals) {
    super(refusals.map(({ agent, why }) => `${agent}: ${why}`).join('; '))
    this.refusals = refusals
  }
}

/**
 * chooseAgents takes as many as are wanted, free ones of this release.
 *
 * @param {readonly AgentCard[]} cards
 * @param {import('../plan/agents-option.js').Wanted} wanted
 * @param {import('./release.js').Release} own
 * @returns {AgentCard[]}
 * @throws {FleetError}
 */
export function chooseAgents(cards, wanted, own) {
  const left = new Set(cards.filter(card => differing(card, own) === null && card.busy === null))
  const chosen = wanted.flatMap(({ tag, count }) => {
    const fits = [...left].filter(({ tags }) => tag === null || tags.includes(tag)).slice(0, count)
    if (fits.length < count) throw new FleetError(tooFew({ tag, count }, fits.length, cards, own))
    for (const card of fits) left.delete(card)
    return fits
  })
  return chosen
}

/**
 * @param {import('../plan/agents-option.js').Wanted[number]} wanted
 * @param {number} found
 * @param {readonly AgentCard[]} cards
 * @param {import('./release.js').Release} own
 * @returns {Refusal[]}
 */
function tooFew({ tag, count }, found, cards, own) {
  const what = `${counted(count, 'agent')}${tag === null ? '' : ` with the tag ${tag}`}`
  const others = cards.flatMap(card => {
    const name = `agent ${card.id} (${card.host})`
    const other = differing(card, own)
    if (other !== null) return [{ agent: name, why: `is ${other.theirs}, and this is ${other.ours}` }]
    return card.busy === null ? [] : [{ agent: name, why: `is busy with run ${card.busy}` }]
  })
  return [
    { agent: what, why: `asked for, and ${found} free on the bus: start more, or see agents` },
    ...others
  ]
}
