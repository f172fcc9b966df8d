import { shareIn } from '../../../kit/units.js'
import { milliseconds } from '../../../plan/values.js'

/** @typedef {import('../../../network/links/jitter.js').JitterSpec} JitterSpec */

const MOST_MS = 10_000

/** USUAL_JITTER is that of a link that can be impaired, unless it is given: a hundredth of its latency. @type {Readonly<JitterSpec>} */
export const USUAL_JITTER = { kind: 'share', share: 0.01 }

/** @param {unknown} value @returns {JitterSpec | undefined} */
function read(value) {
  const text = String(value).trim()
  const share = shareIn(text)
  if (!Number.isNaN(share)) return share <= 1 ? { kind: 'share', share } : undefined
  const ms = milliseconds(text)
  return ms >= 0 && ms <= MOST_MS ? { kind: 'time', ms } : undefined
}

/**
 * linkJitter is the kind of --linkJitter: a share of each link's latency, or a time.
 *
 * @returns {import('../../../plan/values.js').Kind & { write: (spec: JitterSpec) => string }}
 */
export const linkJitter = () => ({
  allowed:
    'must be a percentage of the latency from 0% to 100%, or a time with its unit up to 10s, such as 1% or 5ms',
  schema: z =>
    z.preprocess(
      value => (value !== null && typeof value === 'object' ? value : read(value)),
      z.looseObject({ kind: z.enum(['share', 'time']) })
    ),
  write: spec => (spec.kind === 'share' ? `${Number((spec.share * 100).toPrecision(12))}%` : `${spec.ms}ms`)
})
