import { processesTooMany } from '../gossip/plan/machine-rule.js'
import { CONGESTION_CONTROL, inNamespaces, namespacesNeeded } from '../gossip/plan/namespace-rules.js'

/** @typedef {import('../../plan/option.js').Rule} Rule */

/**
 * linkRules refuse what namespaces cannot do, or cannot do here.
 *
 * @param {readonly string[]} needs - options that say how many there are
 * @param {(values: Record<string, any>) => number} namespacesOf
 * @returns {Rule[]}
 */
export const linkRules = (needs, namespacesOf) => [
  namespacesNeeded('or leave it out: TCP on this host loses nothing'),
  CONGESTION_CONTROL,
  inNamespaces({
    flag: 'partition',
    needs,
    refuse: values => {
      const most = namespacesOf(values)
      const cuts = /** @type {readonly import('../../network/links/partition-schedule.js').Cut[]} */ (
        values.partition ?? []
      )
      if (cuts.some(({ kind }) => kind === 'reset'))
        return 'must be hold: nobody makes other connections here when some are closed'
      const last = Math.max(-1, ...cuts.flatMap(({ between }) => between.flat().map(({ last }) => last)))
      return last >= most && `names namespace ${last}, and there are ${most}: 0 to ${most - 1}`
    }
  }),
  inNamespaces({ flag: 'network', needs, refuse: values => processesTooMany(namespacesOf(values)) })
]

/**
 * oneLatency refuses latencies of links beside the option of a scenario that says that of all.
 *
 * @param {string} insteadOf
 * @returns {Rule}
 */
export const oneLatency = insteadOf => ({
  flag: 'linkLatency',
  needs: [insteadOf],
  refuse: ({ linkLatency }, given) =>
    linkLatency != null && given.has(insteadOf) && `cannot be given together with --${insteadOf}: choose one`
})
