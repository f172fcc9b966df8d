// Options that choose the js-libp2p version (--stack) of nodes, clients and server, or libp2p without our changes
// (--stock).
import { DEFAULT_STACK, describeMissingPackages, STACKS } from '../libp2p/stacks.js'
import { yesOrNo } from '../plan/values.js'
import { requireOwnServer } from './conditions.js'

/**
 * @typedef {import('../plan/options.js').Rule} Rule
 * @typedef {import('../plan/options.js').Option} Option
 */

const STACK_NAMES = [...STACKS.keys()]
const STACK_WORDS = STACK_NAMES.join(' or ')

/** @param {unknown} value @returns {unknown[]} */
const splitWords = value =>
  (Array.isArray(value) ? value : String(value).split(',')).map(word => String(word).trim())

/** @param {import('../plan/values.js').Zod} z */
const makeNameSchema = z => z.enum(STACK_NAMES)

/** @param {import('../plan/values.js').Zod} z */
const makeStacksSchema = z =>
  z.preprocess(
    splitWords,
    z
      .array(makeNameSchema(z))
      .min(1)
      .refine(all => new Set(all).size === all.length)
  )

/**
 * makeStackReader reads names of stacks whose packages are installed.
 *
 * @param {(z: import('../plan/values.js').Zod) => import('zod').ZodType} schema
 * @param {string} allowed - for the error of an invalid value
 * @returns {NonNullable<Option['read']>}
 */
const makeStackReader = (schema, allowed) => (raw, z) => {
  const { success, data } = schema(z).safeParse(raw)
  if (!success) return { allowed }
  const names = /** @type {string[]} */ ([data].flat())
  const lacking = names.map(each => describeMissingPackages(each)).filter(why => why !== null)
  return lacking.length === 0 ? { value: data } : { allowed: lacking.join('; ') }
}

const ONE = `must be ${STACK_WORDS}`
const SEVERAL = `must be ${STACK_WORDS}, or several joined by a comma`

/**
 * makeStackOption is the option of the generation of libp2p for nodes or clients.
 *
 * @param {string} group - of --help
 * @param {string} whose - `nodes`
 * @returns {{ stack: Option }}
 */
export const makeStackOption = (group, whose) => ({
  stack: {
    group,
    default: DEFAULT_STACK,
    // the only stack of earlier releases
    added: ['libp2p-3'],
    allowed: SEVERAL,
    schema: makeStacksSchema,
    read: makeStackReader(makeStacksSchema, SEVERAL),
    write: (/** @type {string[]} */ names) => names.join(','),
    describe: `libp2p generation and packages of the ${whose}: ${STACK_WORDS}; ${STACK_NAMES.join(',')}: alternating by number. See docs/rendezvous.md`
  }
})

/**
 * makeStockOption is the option for libp2p without our changes.
 *
 * @param {string} group - of --help
 * @param {string} whose - `nodes`
 * @returns {{ stock: Option }}
 */
export const makeStockOption = (group, whose) => ({
  stock: {
    group,
    default: false,
    ...yesOrNo(),
    added: false,
    describe: `our ${whose} run js-libp2p as published, without our CPU savings; changes that tests on one host need remain, and are listed. See docs/rendezvous.md`
  }
})

/**
 * makeServerStackOption is the option of the generation of libp2p for our own server.
 *
 * @param {string} group - of --help
 * @returns {{ serverStack: Option }}
 */
export const makeServerStackOption = group => ({
  serverStack: {
    family: 'stack',
    member: 'server',
    group,
    only: requireOwnServer('applies to our own server'),
    added: null,
    allowed: ONE,
    schema: makeNameSchema,
    read: makeStackReader(makeNameSchema, ONE),
    describe: 'libp2p generation of our server (default: the first of --stack)'
  }
})

/** STACK_RULES refuse what nodes cannot do on every stack. @type {readonly Rule[]} */
export const STACK_RULES = [
  {
    flag: 'stock',
    needs: ['network'],
    refuse: ({ stock, network }) =>
      stock === true &&
      network === 'simulated' &&
      'does not apply with --network simulated: its nodes have gossipsub as published, and nothing else of libp2p'
  },
  {
    flag: 'transport',
    needs: ['stack'],
    refuse: ({ stack, transport = 'tcp' }) =>
      transport !== 'tcp' &&
      stack.some((/** @type {string} */ each) => each !== DEFAULT_STACK) &&
      `must be tcp but on ${DEFAULT_STACK}: the packages of other generations are for TCP alone`
  },
  {
    flag: 'stack',
    needs: ['network'],
    refuse: ({ stack, network }) =>
      network === 'simulated' &&
      stack.some((/** @type {string} */ each) => each !== DEFAULT_STACK) &&
      `must be ${DEFAULT_STACK} with --network simulated: its streams and connections have the shapes of that generation, and the gossipsub of another cannot run on them`
  }
]
