package main

import (
	"fmt"
	"runtime"
	"syscall"
	"time"

	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/config/generate/secrets"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"
)

// benchRequest asks for the time that one kind of work takes in this process.
type benchRequest struct {
	// Work is "secrets", "generate" or "patch".
	Work string `json:"work"`
	// Times is how often, for "secrets" and "generate".
	Times int `json:"times"`
	// Generate says what is generated, for "generate".
	Generate generateRequest `json:"generate"`
	// Config is patched with each of the patches alone, for "patch".
	Config  string   `json:"config"`
	Patches []string `json:"patches"`
}

// measure does the work and tells the seconds it took and the most memory this process ever had.
func measure(request benchRequest) (any, error) {
	var (
		work  func(index int) error
		times = request.Times
		kept  = make([]string, max(request.Times, len(request.Patches)))
	)

	switch request.Work {
	case "secrets":
		work = func(int) error {
			_, err := secrets.NewBundle(secrets.NewClock(), config.TalosVersionCurrent)

			return err
		}
	case "generate":
		work = func(index int) (err error) {
			provider, err := newConfig(request.Generate)
			if err != nil {
				return err
			}

			kept[index], err = text(provider)

			return err
		}
	case "patch":
		base, err := configloader.NewFromBytes([]byte(request.Config))
		if err != nil {
			return nil, err
		}

		times = len(request.Patches)
		work = func(index int) (err error) {
			kept[index], err = patchAndValidate(base, request.Patches[index])

			return err
		}
	default:
		return nil, fmt.Errorf("no such work: %q", request.Work)
	}

	start := time.Now()

	for index := range times {
		if err := work(index); err != nil {
			return nil, err
		}
	}

	seconds := time.Since(start).Seconds()

	runtime.KeepAlive(kept)

	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return nil, err
	}

	return map[string]float64{"seconds": seconds, "peakMiB": float64(usage.Maxrss) / 1024}, nil
}

// patchAndValidate makes the text of a machine's configuration: that of all, patched, if it is valid.
func patchAndValidate(base config.Provider, patchText string) (string, error) {
	patches, err := loadPatches([]string{patchText})
	if err != nil {
		return "", err
	}

	patched, err := configpatcher.Apply(configpatcher.WithConfig(base), patches)
	if err != nil {
		return "", err
	}

	provider, err := patched.Config()
	if err != nil {
		return "", err
	}

	if _, err := provider.Validate(cloud{}, validation.WithLocal()); err != nil {
		return "", err
	}

	return text(provider)
}
