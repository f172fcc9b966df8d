import '../../src/kit/runtime.js'
import { TimeDriver } from '../../src/simulator/time/driver.js'
import { installVirtualEnvironment } from '../../src/simulator/virtual-environment.js'
import { SCENES } from './scenes.js'

const realSetTimeout = setTimeout
/** @type {[scene: string, ...args: unknown[]][]} one after the other */
const scenes = JSON.parse(process.argv[2])
const environment = installVirtualEnvironment()
/** @type {unknown[]} */
const seen = []
for (const [scene, ...args] of scenes) {
  environment.restart(0)
  // what ended the scene before is no matter of this one
  const driver = new TimeDriver(environment)
  const act = /** @type {Record<string, (...args: any[]) => unknown>} */ (SCENES)[scene]
  seen.push(await act({ environment, driver, realSetTimeout }, ...args))
}
process.stdout.write(JSON.stringify(seen))
