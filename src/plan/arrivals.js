// The option --arrivals, which says when operations are due in the open load model: its syntax and its rules.
import { computeSum, omitMissing } from '../kit/collections.js'
import { describeReadError, isMapping, readTextSync } from '../kit/files.js'
import { describeUnknownKey } from '../kit/option-problems.js'
import { isPackedReplay, packReplay, parseReplay, ReplayFileError } from '../load/arrivals.js'
import { milliseconds, perSecond } from './values.js'

/**
 * @typedef {'constant' | 'poisson'} Spacing - evenly, or independent of each other
 *
 * @typedef {Readonly<{ shape: 'ramp', toPerSecond: number, spacing: Spacing }>} Ramp - from --rate to this over the duration
 * @typedef {Readonly<{ shape: 'steps', ratesPerSecond: readonly number[], spacing: Spacing }>} Steps - each for as long
 * @typedef {Readonly<{ shape: 'sine', amplitude: number, periodMs: number | null, spacing: Spacing }>} Sine - about --rate;
 *   `amplitude` is a share of it; period null: the duration
 * @typedef {Readonly<{ shape: 'replay', path: string, unit: 'ms' | 's', column: string | null, speed: number } &
 *   import('../load/arrivals.js').Replay>} Replayed
 *
 * @typedef {Ramp | Steps | Sine | Replayed} Shape
 * @typedef {Spacing | Shape} Arrivals - a rate that stays the same, or one that changes
 *
 * @typedef {{ value: any } | { allowed: string }} ParsedArrivals
 * @typedef {(path: string) => string} ReadText - throws when there is no such file
 * @typedef {{ words: string[], named: Record<string, string | undefined> }} ShapeParameters - parameters of a shape
 */

const SHAPE =
  'must be constant, poisson, ramp:to=500/s, steps:100/s,200/s,400/s, sine:amplitude=0.8,period=1m or replay:<path>'

const MAX_STEPS = 1000

/** @param {string} text @returns {number} per second; NaN for what is no rate above 0 and up to 1,000,000/s */
function rateIn(text) {
  const rate = perSecond(text.trim())
  return rate >= 0 && rate <= 1_000_000 ? rate : Number.NaN
}

/** @param {ShapeParameters} parameters @returns {ParsedArrivals} */
function readRamp({ words, named: { to } }) {
  const toPerSecond = rateIn(to ?? '')
  if (words.length > 0 || !(toPerSecond > 0))
    return { allowed: 'must say where the ramp ends with a rate above 0, such as ramp:to=500/s' }
  return { value: { shape: 'ramp', toPerSecond } }
}

/** @param {ShapeParameters} parameters @returns {ParsedArrivals} */
function readSteps({ words }) {
  const ratesPerSecond = words.map(rateIn)
  const good = ratesPerSecond.every(rate => rate >= 0) && ratesPerSecond.some(rate => rate > 0)
  if (!good || words.length > MAX_STEPS)
    return { allowed: `must list up to ${MAX_STEPS} rates, not all 0, such as steps:100/s,200/s,400/s` }
  return { value: { shape: 'steps', ratesPerSecond: Object.freeze(ratesPerSecond) } }
}

/** @param {ShapeParameters} parameters @returns {ParsedArrivals} */
function readSine({ words, named: { amplitude: typed = '0.5', period } }) {
  const amplitude = /^\d*\.?\d+$/.test(typed) ? Number(typed) : Number.NaN
  const periodMs = period === undefined ? null : milliseconds(period)
  if (words.length > 0 || !(amplitude <= 1) || (periodMs !== null && !(periodMs >= 1)))
    return {
      allowed:
        'must have an amplitude from 0 to 1 and a period with its unit, such as sine:amplitude=0.8,period=1m'
    }
  return { value: { shape: 'sine', amplitude, periodMs } }
}

/** @param {ShapeParameters} parameters @param {ReadText} readText @returns {ParsedArrivals} */
function readReplay({ words, named }, readText) {
  const { unit = 'ms', speed: typed = '1' } = named
  const column = named.column ?? null
  const path = words.join(',').trim()
  const speed = /^\d*\.?\d+$/.test(typed) ? Number(typed) : 0
  if (path === '') return { allowed: 'must name a file, such as replay:arrivals.txt' }
  if (unit !== 'ms' && unit !== 's') return { allowed: 'has a unit that must be ms or s' }
  if (speed <= 0) return { allowed: 'has a speed that must be a number above 0, such as speed=10' }
  try {
    const packed = packReplay(parseReplay(readText(path), { unit, column }), speed)
    return { value: { shape: 'replay', path, unit, column, speed, ...packed } }
  } catch (error) {
    if (error instanceof ReplayFileError) return { allowed: `cannot be replayed: ${error.message}` }
    return { allowed: describeReadError(error) }
  }
}

/** What a mapping of YAML holds besides parameters by name. @type {Readonly<Record<string, string>>} */
const WORDS = { steps: 'rates', replay: 'path' }

/**
 * Each shape with the parameters it can have by name.
 *
 * @type {Readonly<Record<string, { names: string[], read: (parameters: ShapeParameters, readText: ReadText) => ParsedArrivals }>>}
 */
const SHAPES = {
  ramp: { names: ['to', 'spacing'], read: readRamp },
  steps: { names: ['spacing'], read: readSteps },
  sine: { names: ['amplitude', 'period', 'spacing'], read: readSine },
  replay: { names: ['unit', 'column', 'speed'], read: readReplay }
}

/** @param {string} text @param {string[]} names - of parameters @returns {ShapeParameters} */
function parametersIn(text, names) {
  /** @type {ShapeParameters} */
  const parameters = { words: [], named: {} }
  for (const part of text.split(',')) {
    const [, name, value] = /^(\w+) ?= ?(.*)$/s.exec(part.trim()) ?? []
    if (names.includes(name)) parameters.named[name] = value
    else if (part.trim() !== '') parameters.words.push(part)
  }
  return parameters
}

/** @param {unknown} value - as typed, or as a mapping of YAML: `{ shape: 'ramp', to: '500/s' }` */
function asText(value) {
  if (value === null || typeof value !== 'object') return String(value).trim()
  const { shape, path, rates, ...named } = /** @type {Record<string, unknown>} */ (value)
  const words = [path, rates].flat().filter(word => word !== undefined)
  const pairs = Object.entries(named).map(([name, each]) => `${name}=${each}`)
  return `${shape}:${[...words, ...pairs].join(',')}`
}

/** @param {unknown} value @param {ReadText} readText @returns {ParsedArrivals} */
function read(value, readText) {
  const text = asText(value)
  if (text === 'constant' || text === 'poisson') return { value: text }
  const [, name, rest] = /^(\w+):(.*)$/s.exec(text) ?? [null, text, '']
  if (!Object.hasOwn(SHAPES, name)) return { allowed: SHAPE }
  const { names, read: readShape } = SHAPES[name]
  const problem = isMapping(value) && describeUnknownKey(value, omitMissing(['shape', WORDS[name], ...names]))
  if (problem) return { allowed: problem }
  const parameters = parametersIn(rest, names)
  const shape = readShape(parameters, readText)
  if ('allowed' in shape) return shape
  if (!names.includes('spacing')) return { value: Object.freeze(shape.value) }
  const { spacing = 'constant' } = parameters.named
  return spacing === 'constant' || spacing === 'poisson'
    ? { value: Object.freeze({ ...shape.value, spacing }) }
    : { allowed: 'has a spacing that must be constant or poisson' }
}

/** @param {Shape} shape @returns {string[]} its parameters, those that are as usual left out */
function parametersOf(shape) {
  switch (shape.shape) {
    case 'ramp':
      return [`to=${shape.toPerSecond}/s`]
    case 'steps':
      return shape.ratesPerSecond.map(rate => `${rate}/s`)
    case 'sine': {
      const { amplitude, periodMs } = shape
      return omitMissing([`amplitude=${amplitude}`, periodMs !== null && `period=${periodMs}ms`])
    }
    case 'replay':
      return omitMissing([
        shape.path,
        shape.unit !== 'ms' && `unit=${shape.unit}`,
        shape.column !== null && `column=${shape.column}`,
        shape.speed !== 1 && `speed=${shape.speed}`
      ])
  }
}

/** @param {Arrivals} arrivals */
function write(arrivals) {
  if (typeof arrivals === 'string') return arrivals
  const spacing = 'spacing' in arrivals && arrivals.spacing === 'poisson' ? ['spacing=poisson'] : []
  return `${arrivals.shape}:${[...parametersOf(arrivals), ...spacing].join(',')}`
}

/**
 * arrivalsKind is the kind of --arrivals. A file is read here, so that a plan holds all that its run needs.
 *
 * @param {ReadText} [readText]
 * @returns {import('./values.js').OptionValueKind & { write: (arrivals: Arrivals) => string }}
 */
export const arrivalsKind = (readText = readTextSync) => ({
  allowed: SHAPE,
  read: value => read(value, readText),
  schema: z =>
    z.preprocess(
      value => {
        const known = read(value, readText)
        return 'value' in known ? known.value : undefined
      },
      z.union([
        z.enum(['constant', 'poisson']),
        z
          .looseObject({ shape: z.enum(['ramp', 'steps', 'sine', 'replay']) })
          .refine(shape => shape.shape !== 'replay' || isPackedReplay(/** @type {any} */ (shape)), {
            error: 'has no arrivals that can be read'
          })
      ])
    ),
  write
})

/**
 * hasOwnRates tells arrivals that need no --rate.
 *
 * @param {Arrivals | undefined} arrivals
 * @returns {arrivals is Steps | Replayed}
 */
export const hasOwnRates = arrivals =>
  typeof arrivals === 'object' && (arrivals.shape === 'steps' || arrivals.shape === 'replay')

/**
 * getReplayMs is how long a replay takes, with its last arrival.
 *
 * @param {Arrivals} arrivals
 * @returns {number | undefined} undefined: others go on for as long as they are asked to
 */
export const getReplayMs = arrivals =>
  typeof arrivals === 'object' && arrivals.shape === 'replay' ? Math.ceil(arrivals.spanMs + 1) : undefined

/**
 * computeMeanRate is the mean of rates that arrivals say themselves.
 *
 * @param {Steps | Replayed} arrivals
 * @returns {number} per second, > 0
 */
export function computeMeanRate(arrivals) {
  if (arrivals.shape === 'steps') return computeSum(arrivals.ratesPerSecond) / arrivals.ratesPerSecond.length
  // a single one, or all at once, have no rate to speak of
  return (arrivals.count * 1000) / Math.max(1000, arrivals.spanMs)
}

/**
 * makeArrivalRules are the combinations with --arrivals that cannot be run, in every scenario that has a --rate and a --duration.
 *
 * @param {string} count - the option that says how much is sent in all
 * @returns {import('./options.js').Rule[]}
 */
export const makeArrivalRules = count => [
  {
    flag: 'arrivals',
    needs: ['duration'],
    refuse: ({ arrivals, duration }) =>
      duration === undefined &&
      ['ramp', 'steps', 'sine'].includes(arrivals.shape) &&
      'needs --duration: the rate changes over it'
  },
  {
    flag: 'arrivals',
    needs: ['rate'],
    refuse: ({ arrivals }, explicit) =>
      hasOwnRates(arrivals) &&
      explicit.has('rate') &&
      `sets when operations are due: leave out --rate, or the ${arrivals.shape}`
  },
  {
    flag: count,
    needs: ['arrivals'],
    refuse: ({ arrivals }, explicit) =>
      explicit.has(count) &&
      arrivals.shape === 'replay' &&
      'does not apply to a replay: its file sets the number, and --duration ends it earlier'
  }
]
