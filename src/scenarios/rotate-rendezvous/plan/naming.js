/** NAMING of the cases of rotating peers. @type {import('../../../plan/case-name.js').Naming} */
export const NAMING = {
  short: new Set(['stable', 'ephemeral', 'rotateEvery', 'ttl', 'rate', 'duration']),
  inShort: (/** @type {import('./rotate-rendezvous-plan.js').RotateRendezvousPlan} */ plan) => [
    `s${plan.stable}`,
    `e${plan.ephemeral}`,
    `every${plan.rotateEveryMs}ms`,
    `ttl${plan.ttlSeconds}s`,
    `rate${plan.ratePerSecond}`,
    `${plan.durationMs}ms`
  ]
}
