// Command peer is a rendezvous peer made of waku's go-libp2p-rendezvous, and a perf peer made of go-libp2p. What it is told and answers: see ../../peer.js.
package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/libp2p/go-libp2p"
	"github.com/libp2p/go-libp2p/core/host"
	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/peer"
	rendezvous "github.com/waku-org/go-libp2p-rendezvous"
	"github.com/waku-org/go-libp2p-rendezvous/db/sqlite"
)

const operationTimeout = 20 * time.Second

type question struct {
	As     int    `json:"as"`
	Op     string `json:"op"`
	Ns     string `json:"ns"`
	TTL    int    `json:"ttl"`
	Limit  int    `json:"limit"`
	Cookie string `json:"cookie"`
	Up     uint64 `json:"up"`
	Down   uint64 `json:"down"`
}

type answer map[string]any

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "serve":
		return serve()
	case len(args) == 2 && args[0] == "client":
		return ask(args[1])
	}
	return errors.New("usage: peer serve | peer client <multiaddr>")
}

func newHost() (host.Host, error) {
	return libp2p.New(
		libp2p.ListenAddrStrings("/ip4/127.0.0.1/tcp/0"),
		libp2p.DisableRelay(),
		// a load test connects from one address
		libp2p.ResourceManager(&network.NullResourceManager{}),
	)
}

func serve() error {
	h, err := newHost()
	if err != nil {
		return err
	}
	defer h.Close()
	store, err := db.OpenDB(context.Background(), ":memory:")
	if err != nil {
		return err
	}
	defer store.Close()
	rendezvous.NewRendezvousService(h, store)
	h.SetStreamHandler(perfID, servePerf)
	if err := print(answer{"address": fmt.Sprintf("%s/p2p/%s", h.Addrs()[0], h.ID())}); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// ask reads a question a line and answers each with a line; `as` names who asks, every one a peer of its own.
func ask(address string) error {
	server, err := peer.AddrInfoFromString(address)
	if err != nil {
		return err
	}
	hosts := map[int]host.Host{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return err
		}
		if hosts[q.As] == nil {
			if hosts[q.As], err = connected(*server); err != nil {
				return err
			}
		}
		if err := print(answerTo(hosts[q.As], server.ID, q)); err != nil {
			return err
		}
	}
	return lines.Err()
}

func connected(server peer.AddrInfo) (host.Host, error) {
	h, err := newHost()
	if err != nil {
		return nil, err
	}
	return h, h.Connect(context.Background(), server)
}

func answerTo(h host.Host, server peer.ID, q question) answer {
	ctx, cancel := context.WithTimeout(context.Background(), operationTimeout)
	defer cancel()
	ok, err := perform(ctx, h, server, q)
	var refused rendezvous.RendezvousError
	switch {
	case err == nil:
		return ok
	case errors.As(err, &refused):
		return answer{"error": refused.Status.String(), "text": refused.Text}
	default:
		return answer{"error": "NO_REPLY", "text": err.Error()}
	}
}

func perform(ctx context.Context, h host.Host, server peer.ID, q question) (answer, error) {
	point := rendezvous.NewRendezvousPoint(h, server)
	switch q.Op {
	case "id":
		return answer{"peer": h.ID()}, nil
	case "register":
		ttl, err := point.Register(ctx, q.Ns, q.TTL)
		return answer{"ttl": ttl.Seconds()}, err
	case "unregister":
		return answer{}, point.Unregister(ctx, q.Ns)
	case "discover":
		return discover(ctx, point, q)
	case "perf":
		return askPerf(ctx, h, server, q.Up, q.Down)
	}
	return nil, fmt.Errorf("no such operation: %s", q.Op)
}

func discover(ctx context.Context, point rendezvous.RendezvousPoint, q question) (answer, error) {
	cookie, err := hex.DecodeString(q.Cookie)
	if err != nil {
		return nil, err
	}
	if q.Cookie == "" {
		cookie = nil
	}
	found, next, err := point.Discover(ctx, q.Ns, q.Limit, cookie)
	peers := []peer.ID{}
	for _, registration := range found {
		peers = append(peers, registration.Peer.ID)
	}
	return answer{"peers": peers, "cookie": hex.EncodeToString(next)}, err
}

func print(a answer) error {
	return json.NewEncoder(os.Stdout).Encode(a)
}
