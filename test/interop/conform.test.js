import '../../src/kit/runtime.js'
import { test } from 'node:test'
import { commandOf } from './build.js'
import { IMPLEMENTATIONS } from './implementations.js'
import { startServer } from './peer.js'
import { needs, tellSkipped } from './toolchains.js'

const { holdConformance } = await import('./conformance.js')

for (const implementation of IMPLEMENTATIONS.filter(({ serves }) => serves)) {
  tellSkipped(implementation)
  test(
    `${implementation.software}: its server fares as docs/conformance.md says`,
    needs(implementation),
    async () => {
      const { address } = await startServer(await commandOf(implementation))
      await holdConformance(implementation.name, address)
    }
  )
}
