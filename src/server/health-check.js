// The health check of the server's container, with the settings of the server from its environment.
const port = process.env.RENDEZVOUS_HTTP_PORT ?? '8003'
const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2000) })
process.exitCode = ok ? 0 : 1
