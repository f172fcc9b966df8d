import { namespaces } from './conditions.js'

/**
 * namespaceOptions are the options of a network of namespaces alone.
 *
 * @param {string} group - of --help
 * @returns {{ congestionControl: import('../../../plan/option.js').Option }}
 */
export const namespaceOptions = group => ({
  congestionControl: {
    group,
    allowed: 'must be host, or a congestion control of the kernel by its name, such as reno',
    schema: z => z.string().regex(/^[a-z0-9_]+$/),
    only: namespaces(),
    ofCase: true,
    added: null,
    describe:
      'what TCP between namespaces goes by: reno, or another one that this machine allows everybody; host, as it is without this: as on this machine'
  }
})

/** Flags that ask for something of links. */
const OF_LINKS = ['linkLoss', 'linkBandwidth', 'upBandwidth', 'downBandwidth', 'partition']

/** IMPAIRING are all options that `impairments` looks at. */
export const IMPAIRING = ['linkLatency', 'linkJitter', ...OF_LINKS]

/** impairments are the flags that ask for something of links. @param {Record<string, any>} values @returns {string[]} */
export const impairments = ({ linkLatency, ...values }) => [
  ...(linkLatency.kind === 'constant' && linkLatency.ms === 0 ? [] : ['linkLatency']),
  ...OF_LINKS.filter(flag => values[flag] !== undefined && values[flag] !== 0),
  ...(values.linkJitter?.ms > 0 ? ['linkJitter'] : [])
]
