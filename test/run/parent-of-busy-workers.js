// Forks a worker of every kind, keeps all of them so busy that their event loops turn no more, and says so.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const BUSY = 'process.on("SIGUSR2", () => { for (;;); })'

const workers = process.argv.slice(2).map(entry =>
  fork(fileURLToPath(new URL(`../../src/scenarios/${entry}`, import.meta.url)), {
    execArgv: ['--import', `data:text/javascript,${encodeURIComponent(BUSY)}`],
    serialization: 'advanced',
    detached: true
  })
)
// one that cannot start would be waited for
for (const worker of workers) worker.once('exit', () => process.exit(1))
await Promise.all(workers.map(worker => once(worker, 'message')))
for (const worker of workers) worker.kill('SIGUSR2')
process.stdout.write('busy\n')
