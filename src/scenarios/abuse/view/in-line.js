import { counted, significant, spell } from '../../../kit/numbers.js'
import { limitedTo } from '../../rendezvous/view/server-notes.js'
import { abusePlan } from '../abuse-plan.js'
import { abuseResult } from '../abuse-types.js'
import { casesOf } from '../plan/cases.js'
import { worstOf } from './worst-case.js'

const MOST_NAMES = 3

/** work is what a plan does. @param {unknown} plan */
export function work(plan) {
  const names = casesOf(abusePlan(plan)).map(({ name }) => name)
  const said = names.length > MOST_NAMES ? counted(names.length, 'kind') : names.join(', ')
  return `abuse: ${said}`
}

/** setting is beside whom. @param {unknown} plan */
export function setting(plan) {
  const { clients, ratePerSecond, pairs, stretchMs, ...where } = abusePlan(plan)
  return [
    `${counted(clients, 'honest client')}, ${significant(ratePerSecond)} requests/s`,
    `${counted(pairs, 'pair')} of stretches of ${spell(stretchMs)}`,
    serverIn(where)
  ]
}

/** @param {Pick<import('../abuse-plan.js').AbusePlan, 'target' | 'server' | 'cpus' | 'memoryBytes'>} plan */
function serverIn({ target, server, cpus, memoryBytes }) {
  if (target !== null) return `target ${target}`
  if (server === 'process') return 'a server in a process of its own'
  return `a server in a container of its own${limitedTo({ cpus, memoryBytes })}`
}

/** came is what came of it: of the kind that did worst. @param {unknown} result */
export function came(result) {
  const worst = worstOf(abuseResult(result).outcome.cases)
  if (worst === null) return 'no ratio is known'
  return `honest ${worst.what} at most ${significant(worst.ratio)} times as long, under ${worst.name}`
}
