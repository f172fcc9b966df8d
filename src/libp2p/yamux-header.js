// What stands in the header of a frame, numbers with the highest byte first: https://github.com/hashicorp/yamux/blob/master/spec.md

export const HEADER_BYTES = 12
export const [TYPE_AT, FLAGS_AT, STREAM_AT, LENGTH_AT] = [1, 2, 4, 8]

/** Types. */
export const [DATA, WINDOW_UPDATE, PING, GO_AWAY] = [0, 1, 2, 3]

/** Flags: SYN and ACK begin a stream, FIN and RST end it. */
export const [SYN, ACK, FIN, RST] = [1, 2, 4, 8]
