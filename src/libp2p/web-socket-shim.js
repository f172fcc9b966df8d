import { WebSocket } from 'ws'

// @libp2p/websockets dials with the WebSocket of the platform, which Node 20 lacks. Import this before a dial.
Object.assign(globalThis, { WebSocket: globalThis.WebSocket ?? WebSocket })
