import '../../../src/node-shim.js'
import { Driver } from '../../../src/network/simulated/driver.js'
import { installVirtualEnvironment } from '../../../src/network/simulated/environment.js'
import { SCENES } from './scenes.js'

const realSetTimeout = setTimeout
const [scene, ...args] = process.argv.slice(2).map(argument => JSON.parse(argument))
const environment = installVirtualEnvironment()
const driver = new Driver(environment)
const act = /** @type {Record<string, (...args: any[]) => unknown>} */ (SCENES)[scene]
const seen = await act({ environment, driver, realSetTimeout }, ...args)
process.stdout.write(JSON.stringify(seen))
