import { PROGRAM } from '../../kit/program.js'
/** NAME stands in plans and results as it was first written; everywhere else the scenario is called like its command. */
export const NAME = /** @type {const} */ ('rotation-rendezvous')

/** COMMAND is how the scenario is called and helped with. @type {Readonly<import('../scenario.js').CommandText>} */
export const COMMAND = {
  words: 'rotate rendezvous',
  describe: 'Kill and replace peers of a rendezvous server in turn while others discover',
  examples: /** @type {[string, string][]} */ ([
    ['10 ephemeral peers among 20 stable ones, 5 minutes', 'rotate rendezvous'],
    [
      'registrations of the dead that stay for long',
      'rotate rendezvous --ttl 5m --refreshEvery 1m --duration 15m'
    ],
    ['only what is new is asked for', 'rotate rendezvous --cookies --rate 100/s'],
    [
      'a short run',
      'rotate rendezvous --stable 6 --ephemeral 3 --rotateEvery 2s --downFor 1s --ttl 4s --duration 20s'
    ],
    ['exit code 3 if too much is stale', 'rotate rendezvous --threshold "staleShare < 15%"'],
    ['a server of your own', 'rotate rendezvous --target /ip4/192.168.1.5/tcp/8000/p2p/12D3KooW… --ttl 2h']
  ]),
  epilogue: `The load is to be below what the server carries, which ${PROGRAM} saturate rendezvous finds. What is measured: docs/rotation.md.\nExit codes: 0 done, 1 the run failed, 2 bad usage, 3 a threshold failed, 4 generator-limited with --strict, 130 interrupted.`
}
