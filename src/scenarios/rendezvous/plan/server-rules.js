/** LIMIT_RULES are of what only a container can be limited by. @type {readonly import('../../../plan/option.js').Rule[]} */
export const LIMIT_RULES = ['cpus', 'memory'].map(flag => ({
  flag,
  needs: ['server'],
  refuse: ({ server, ...values }) =>
    values[flag] !== undefined && server === 'process' && 'needs --server docker: nothing limits a process'
}))

/** PID_OR_CONTAINER: a target is read in one way. @type {Readonly<import('../../../plan/option.js').Rule>} */
export const PID_OR_CONTAINER = Object.freeze({
  flag: 'targetContainer',
  needs: ['targetPid'],
  refuse: (_, given) =>
    given.has('targetContainer') &&
    given.has('targetPid') &&
    'cannot be given together with --targetPid: choose one'
})
