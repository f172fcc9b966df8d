/**
 * isSimulated says whether nodes were joined by no real network. Every view has to say so.
 *
 * @param {{ network: string }} plan
 */
export const isSimulated = ({ network }) => network === 'simulated'
