// Loaded into the program's own process, not into those that it starts: says at its end how much CPU time it took.
import { writeFileSync } from 'node:fs'

const file = process.env.MAIN_CPU_FILE
if (file !== undefined) {
  delete process.env.MAIN_CPU_FILE
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    writeFileSync(file, String((user + system) / 1e6))
  })
}
