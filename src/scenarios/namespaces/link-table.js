import { choice } from '../../plan/values.js'
import { NAMESPACES } from '../gossip/plan/conditions.js'
import { linkLatency } from '../gossip/plan/link-latency-option.js'
import { linkOptions } from '../gossip/plan/link-options.js'

/**
 * @typedef {import('../../plan/option.js').Option} Option
 * @typedef {import('../../plan/option.js').Condition} Condition
 * @typedef {Record<string, any>} Values - of options, by flag
 */

/** isJoined says whether values ask for a network of namespaces. @param {Values} values */
export const isJoined = ({ network }) => network === NAMESPACES

/** @type {Readonly<Condition>} */
const ONLY = Object.freeze({
  of: 'a network of namespaces',
  needs: ['network'],
  met: isJoined,
  otherwise: 'needs --network namespaces: on loopback there is nothing of the kind'
})

/** @param {Partial<Option>} row @returns {Option} */
const between = row =>
  /** @type {Option} */ ({ ...row, only: ONLY, notIn: undefined, ofCase: true, added: null })

/**
 * linkTable are the options of a network of namespaces, for scenarios that have no other one with links.
 *
 * @param {string} group - of --help
 * @param {string} joined - what --network namespaces puts where
 * @returns {Record<'network' | 'linkLoss', Option>}
 */
export const linkTable = (group, joined) => ({
  network: {
    group,
    default: 'loopback',
    ...choice(['loopback', NAMESPACES]),
    added: 'loopback',
    describe: `what joins the processes; loopback: TCP on this host; namespaces: TCP of the kernel over links with losses: ${joined}, see docs/namespaces.md`
  },
  linkLoss: between({
    ...linkOptions(group).linkLoss,
    describe: 'of the packets between namespaces, in each direction, such as 0.1%'
  })
})

/**
 * clientLinks are those of clients and a server, which have no other option for a latency and a bandwidth.
 *
 * @param {string} group - of --help
 * @returns {Record<'linkLatency' | 'upBandwidth', Option>}
 */
export const clientLinks = group => ({
  linkLatency: between({
    group,
    ...linkLatency(),
    describe:
      'one way, between namespaces, such as 50ms; each link can have its own: uniform:40ms-60ms, normal:50ms,10ms (mean, standard deviation), lognormal:50ms,20ms, or file:<matrix> of nodes or regions'
  }),
  upBandwidth: between({
    ...linkOptions(group).upBandwidth,
    describe: 'of what leaves a namespace, all its links together, such as 10MB/s'
  })
})
