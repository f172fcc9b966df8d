import { counted, grouped, spell } from '../../../kit/numbers.js'
import { stackWords } from '../../../report/stack-words.js'
import { clientsInWords, sentInWords } from './role-words.js'

/**
 * @typedef {import('../../../plan/plan.js').Plan} Plan
 * @typedef {import('../../../report/view.js').ScenarioWords<import('../rendezvous-types.js').OperationsResult>} ScenarioWords
 */

/** @param {Plan} plan */
function work(plan) {
  const { benchmarkRuns, durationMs } = plan
  const mode = plan.benchmarkType === 'REGISTER' ? ` (${plan.registerMode})` : ''
  const count = benchmarkRuns === null ? '' : `${grouped(benchmarkRuns)} `
  const time = durationMs === null ? '' : `${spell(durationMs)} of `
  const amount = durationMs !== null && benchmarkRuns !== null ? `${time}at most ${count}` : count || time
  return `${amount}${sentInWords(plan)}${mode}`
}

/** @param {Pick<Plan, 'target' | 'targets' | 'server' | 'servers' | 'store' | 'network'>} plan */
function serverWords({ target, targets, server, servers, store, network }) {
  if (targets != null) return `${targets.length} servers at ${targets.join(', ')}`
  if (target !== null) return `server at ${target}`
  if (servers > 1) return `${servers} servers that share ${store}`
  if (network === 'namespaces') return 'server and clients in network namespaces'
  return store === 'memory' ? PLACES[server] : `server in a process of its own, with ${store}`
}

const PLACES = {
  process: 'server in a process of its own',
  docker: 'server in a Docker container',
  auto: 'server in Docker if it can be, else in a process of its own'
}

/** RENDEZVOUS_WORDS are how a run of the rendezvous scenario is spoken of. @type {ScenarioWords} */
export const RENDEZVOUS_WORDS = {
  phases: {
    setup: ({ target }) =>
      target === null ? ['starting the server', 'server ready'] : ['looking for the target', 'target'],
    preload: ({ initialRegistrations }) => ['registering', counted(initialRegistrations, 'registration')],
    connect: ({ nClients }) => ['connecting clients', `${counted(nClients, 'client')} connected`],
    warmup: () => ['warming up', 'warm-up'],
    measure: () => ['measuring', 'measured'],
    cooldown: () => ['checking replies and registrations', 'replies checked'],
    teardown: ({ target }) => ['clearing up', target === null ? 'server stopped' : 'cleared up']
  },
  work,
  setting: plan => [
    `${clientsInWords(plan)} in ${counted(plan.workers, 'process', 'processes')}`,
    serverWords(plan),
    ...stackWords(plan)
  ],
  rateUnit: 'op/s',
  measured: 'server'
}
