/** @typedef {import('../combinations.js').Rule} Rule */

/** @param {string} flag @param {(value: any) => boolean} [asks] - whether a value asks for anything */
const onlySimulated = (flag, asks = value => value !== undefined) => {
  /** @type {Rule} */
  const rule = {
    flag,
    needs: ['network'],
    lacks: 'simulated',
    refuse: ({ network, ...values }) =>
      network === 'loopback' && asks(values[flag]) && 'needs --network simulated: none is made on real TCP'
  }
  return rule
}

/** IMPAIRMENT_RULES refuse what real TCP cannot do. @type {readonly Rule[]} */
export const IMPAIRMENT_RULES = Object.freeze([
  onlySimulated('loss', loss => loss > 0),
  onlySimulated('bandwidth')
])
