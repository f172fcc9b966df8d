// Health check of the server's container: it asks the server's /healthz, and exits with 0 or 1.
const port = process.env.RENDEZVOUS_HTTP_PORT ?? '8003'
const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2000) })
process.exitCode = ok ? 0 : 1
