import { grouped, MISSING } from '../../../kit/numbers.js'
import { figure, operationsOf, throughput } from '../../../report/table.js'
import { RENDEZVOUS_WORDS } from './rendezvous-words.js'

/** @typedef {import('../../../result/types.js').Result} Result */

/** loadInLine says in a line what was run. @param {Result} result */
export const loadInLine = ({ plan }) =>
  `${RENDEZVOUS_WORDS.work(plan)}, ${grouped(plan.nClients)} ${plan.nClients === 1 ? 'client' : 'clients'}, ${grouped(plan.initialRegistrations)} registrations`

/** operationsInLine says in a line what came of it. @param {Result} result */
export const operationsInLine = result =>
  operationsOf(result)
    .map(
      ([type, operation]) =>
        `${type} ${throughput(operation)} op/s, p50 ${figure(operation.rt.all.p50)} ms, p99 ${figure(operation.rt.all.p99)} ms`
    )
    .join('; ') || MISSING
