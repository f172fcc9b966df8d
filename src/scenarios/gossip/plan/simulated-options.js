import { choice, yesOrNo } from '../../../plan/values.js'
import { impaired, simulated } from './conditions.js'
import { linkJitter } from './link-jitter-option.js'
import { nodesOf } from './nodes-of.js'

/**
 * @typedef {import('../../../plan/option.js').Rule} Rule
 * @typedef {import('../../../plan/option.js').Option} Option
 */

/** Whole nodes in one process: more of them take longer than anybody waits, and more memory than most have. */
const MOST_WHOLE_NODES = 200

/** @param {import('../../../network/links/jitter.js').JitterSpec | undefined} jitter */
const asksForJitter = jitter =>
  jitter !== undefined && (jitter.kind === 'share' ? jitter.share : jitter.ms) > 0

/**
 * simulatedOptions are the options of the simulated network alone.
 *
 * @param {string} group - of --help
 * @returns {{ fidelity: Option, linkJitter: Option, ideal: Option }}
 */
export const simulatedOptions = group => ({
  fidelity: {
    group,
    default: 'gossipsub',
    ...choice(['gossipsub', 'full']),
    only: simulated({ asks: fidelity => fidelity === 'full' }),
    added: 'gossipsub',
    describe: `of simulated nodes; gossipsub: unmodified gossipsub on simulated streams; full: whole libp2p nodes on a simulated transport, at most ${MOST_WHOLE_NODES}, to check the other one by`
  },
  linkJitter: {
    group,
    ...linkJitter(),
    only: impaired(asksForJitter),
    describe:
      "each segment on a link that is simulated or between namespaces takes up to so much longer or shorter: a percentage of the link's latency (default: 1%), or a time such as 5ms"
  },
  ideal: {
    group,
    default: false,
    ...yesOrNo(),
    only: simulated({ asks: Boolean }),
    describe:
      'simulated network without jitter and without time for processing, and with the heartbeats of all nodes at the same moment'
  }
})

/** @param {string} flag @param {(value: any) => boolean} asks @param {string} why @returns {Rule} */
const notSimulated = (flag, asks, why) => ({
  flag,
  needs: ['network'],
  refuse: ({ network, ...values }) => network === 'simulated' && asks(values[flag]) && why
})

/** @param {string} muxers */
const several = muxers => muxers.includes(',')

/** @param {'security' | 'muxer'} flag @param {string} usual @returns {Rule} */
const onlyInWholeNodes = (flag, usual) => ({
  flag,
  needs: ['network', 'fidelity'],
  refuse: ({ network, fidelity, ...values }) =>
    network === 'simulated' &&
    fidelity !== 'full' &&
    values[flag] !== usual &&
    !several(values[flag]) &&
    'needs --fidelity full with --network simulated: otherwise nothing is encrypted and nothing is multiplexed'
})

/** SIMULATED_RULES refuse what only the simulated network can do, and what it cannot. @type {readonly Rule[]} */
export const SIMULATED_RULES = [
  {
    flag: 'fidelity',
    needs: ['nodes', 'topology'],
    refuse: ({ fidelity, ...values }) =>
      fidelity === 'full' &&
      nodesOf(values) > MOST_WHOLE_NODES &&
      `full takes at most ${MOST_WHOLE_NODES} nodes, and there are ${nodesOf(values)}: a whole node costs several times the CPU time and memory; leave it out for larger networks`
  },
  {
    flag: 'linkJitter',
    needs: ['network', 'ideal'],
    refuse: ({ linkJitter, ideal }) =>
      asksForJitter(linkJitter) && ideal && 'cannot be given together with --ideal'
  },
  notSimulated(
    'topology',
    ({ kind }) => kind === 'rendezvous',
    'cannot be rendezvous with --network simulated: the server would be a real one'
  ),
  notSimulated(
    'transport',
    transport => transport !== 'tcp',
    'must be tcp with --network simulated: the framing of WebSockets is not among what is simulated'
  ),
  notSimulated('muxer', several, 'must be one with --network simulated: nothing is chosen from there'),
  onlyInWholeNodes('security', 'noise'),
  onlyInWholeNodes('muxer', 'yamux')
]
