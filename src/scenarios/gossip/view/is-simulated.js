/**
 * isSimulated says whether nodes were joined by no real network. Every view has to say so.
 *
 * @param {{ network: string }} plan
 */
export const isSimulated = ({ network }) => network === 'simulated'

/**
 * simulatedWords says how the nodes of a plan are simulated, where they are.
 *
 * @param {{ fidelity: string }} plan
 */
export const simulatedWords = ({ fidelity }) =>
  fidelity === 'full' ? 'simulated, whole libp2p nodes' : 'simulated'

/**
 * simulatedHeading begins a sentence with it.
 *
 * @param {{ fidelity: string }} plan
 */
export const simulatedHeading = plan => simulatedWords(plan).replace(/^./, first => first.toUpperCase())
