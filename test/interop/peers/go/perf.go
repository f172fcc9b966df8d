package main

import (
	"context"
	"encoding/binary"
	"io"

	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
)

const perfID = "/perf/1.0.0"

var block [65536]byte

func sendN(w io.Writer, n uint64) error {
	for n > 0 {
		k := min(n, uint64(len(block)))
		if _, err := w.Write(block[:k]); err != nil {
			return err
		}
		n -= k
	}
	return nil
}

// servePerf reads a request to its end, sends what was asked for, and tells what it counted.
func servePerf(s network.Stream) {
	received, wanted, err := answerPerf(s)
	if err != nil {
		s.Reset()
		print(answer{"error": err.Error(), "received": received})
		return
	}
	print(answer{"received": received, "sent": wanted})
	s.Close()
}

func answerPerf(s network.Stream) (received int64, wanted uint64, err error) {
	if err = binary.Read(s, binary.BigEndian, &wanted); err != nil {
		return
	}
	if received, err = io.Copy(io.Discard, s); err != nil {
		return
	}
	err = sendN(s, wanted)
	return
}

// askPerf makes a request and counts what comes back.
func askPerf(ctx context.Context, h host.Host, server peer.ID, up, down uint64) (answer, error) {
	s, err := h.NewStream(ctx, server, perfID)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := binary.Write(s, binary.BigEndian, down); err != nil {
		return nil, err
	}
	if err := sendN(s, up); err != nil {
		return nil, err
	}
	if err := s.CloseWrite(); err != nil {
		return nil, err
	}
	received, err := io.Copy(io.Discard, s)
	return answer{"sent": up, "received": received}, err
}
