import { grouped, MISSING } from '../../../kit/numbers.js'
import { figure, operationsOf, throughput } from '../../../report/table.js'
import { questionsOf } from './latency-part.js'
import { RENDEZVOUS_WORDS } from './rendezvous-words.js'
import { clientsInWords } from './role-words.js'

/** @typedef {import('../../../result/types.js').Result} Result */

/** loadInLine says in a line what was run. @param {Result} result */
export const loadInLine = ({ plan }) =>
  `${RENDEZVOUS_WORDS.work(plan)}, ${clientsInWords(plan)}, ${grouped(plan.initialRegistrations)} registrations`

/** operationsInLine says in a line what came of it. @param {Result} result */
export const operationsInLine = result =>
  questionsOf(result)
    .flatMap(({ result: part }, i) =>
      operationsOf(part).map(
        ([type, { rt, ...operation }]) =>
          `${i > 0 ? 'latency of ' : ''}${type} ${throughput({ rt, ...operation })} op/s, p50 ${figure(rt.all.p50)} ms, p99 ${figure(rt.all.p99)} ms`
      )
    )
    .join('; ') || MISSING
