import { createServer } from 'node:https'
import { selfSigned } from '../../../../protocol/self-signed.js'
import { httpProvider } from './http-provider.js'
import { httpsRequestor } from './http-requestor.js'

/** WAY: HTTP/1.1 over TLS, the file as a CAR. The certificate is made for the run, and not looked at. @type {import('./way.js').WayModule} */
export const WAY = {
  provide: async (serve, settings) =>
    httpProvider(createServer(await selfSigned()), serve, { settings, scheme: 'https' }),
  connect: httpsRequestor
}
