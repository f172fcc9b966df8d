/** PUBLISHED says which plans are those of a published case. @type {Readonly<import('../../scenario.js').Published>} */
export const PUBLISHED = Object.freeze({
  case: [
    'stable',
    'ephemeral',
    'rotateEveryMs',
    'downForMs',
    'refreshEveryMs',
    'ttlSeconds',
    'cookies',
    'nNamespaces',
    'ratePerSecond',
    'durationMs'
  ],
  rates: ['ratePerSecond'],
  reference: () => ({})
})
