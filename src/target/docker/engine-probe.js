// Entry of a short process that checks whether a Docker engine answers, and runs on the kernel of this machine.
import '../../kit/runtime.js'
import { reachEngine } from '../docker-engine.js'

const { bridgesReachable } = await reachEngine().catch(({ message }) => {
  process.stdout.write(message)
  process.exit(1)
})
// a virtual machine has a clock of its own
if (!bridgesReachable) process.stdout.write('the Docker engine does not run on the kernel of this machine')
process.exit(bridgesReachable ? 0 : 1)
