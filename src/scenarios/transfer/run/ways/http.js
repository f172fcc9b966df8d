import { createServer } from 'node:http'
import { httpProvider } from './http-provider.js'
import { httpRequestor } from './http-requestor.js'

/** WAY: HTTP/1.1, the file as a CAR. @type {import('./way.js').WayModule} */
export const WAY = {
  provide: async (serve, settings) => httpProvider(createServer(), serve, { settings, scheme: 'http' }),
  connect: httpRequestor
}
