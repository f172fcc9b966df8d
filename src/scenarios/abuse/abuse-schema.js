import { z } from 'zod'
import { planSchema } from '../../plan/plan-schema.js'
import { container, count, figure, number, text, threshold } from '../../result/schema-parts.js'
import { ABUSE_OPTIONS } from './plan/abuse-options.js'

const stretch = z.looseObject({
  asked: count,
  failed: count.describe('of those: refused, or not answered within 5 s'),
  failures: z.record(text, count).describe('by what they failed with'),
  p50Ms: figure.describe('from when a request was due; null: fewer than 10 beyond it, so for p99'),
  p99Ms: figure,
  censored: z
    .looseObject({ p50: z.boolean(), p99: z.boolean() })
    .describe('a lower bound: requests that failed reach into it'),
  longestTurnMs: figure.describe(
    'CPU time of the event loop of the server; null: not known, so for all of it'
  ),
  rssBytes: figure.describe('of the server, at most'),
  cpuPercent: figure.describe('of a core')
})

const abused = stretch.extend({
  notSent: number.describe('share of what was due that hostile peers were too late for'),
  recoveryMs: figure.describe('until honest clients were served as before; null: not within 30 s')
})

const ratio = z.looseObject({
  quietMs: number.describe('Hodges–Lehmann estimate over stretches'),
  abusedMs: number,
  ratio: number,
  low: figure.describe('of the 95 % interval, exact sign-flip test over pairs; null: fewer than 6 pairs'),
  high: figure,
  atLeast: z.boolean().describe('requests that failed reach into a stretch under abuse')
})

/** A figure without abuse and with it. */
const figures = z.looseObject({ quiet: figure, abused: figure })
const counts = z.looseObject({ quiet: count, abused: count })

const row = z.looseObject({
  name: text,
  kind: text,
  times: number.describe('its own rate'),
  what: text,
  pairs: z.array(z.looseObject({ quiet: stretch, abused })).describe('in the order they were measured in'),
  p50: ratio.nullable().describe('null: a stretch has too few requests for it'),
  p99: ratio.nullable(),
  asked: counts,
  failed: counts,
  longestTurnMs: figures.describe('the longest of all stretches'),
  rssBytes: figures.describe('the most of all stretches'),
  cpuPercent: figures.describe('Hodges–Lehmann estimate'),
  recoveryMs: figure.describe('the longest; null: one is not known'),
  notSent: number.describe('the largest')
})

/** plan of a run with hostile peers, as it stands in a result. */
export const plan = planSchema({ name: 'abuse', options: ABUSE_OPTIONS })

/** outcome is what was measured. */
export const outcome = z.looseObject({
  target: z.looseObject({
    kind: z.enum(['process', 'docker', 'address']),
    multiaddr: text.nullable().describe('of the first server that was started; null: none was'),
    container: container
      .nullable()
      .optional()
      .describe('of the first server; null, or absent in older results: it is in none, or in one not known'),
    settings: z
      .record(text, z.looseObject({ value: z.unknown(), why: text }))
      .describe('of our own server, other than its defaults')
  }),
  spreads: z
    .boolean()
    .describe('peers have addresses of their own; else all have one, and limits for it are shared'),
  priority: text
    .nullable()
    .describe('of the hostile process: it has a core that nobody else wants; null: none ran'),
  cases: z.array(row),
  measuredMs: number,
  thresholds: z.array(threshold)
})
