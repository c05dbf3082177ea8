package main

import (
	"github.com/siderolabs/talos/pkg/machinery/config"
	"github.com/siderolabs/talos/pkg/machinery/config/configloader"
	"github.com/siderolabs/talos/pkg/machinery/config/configpatcher"
	"github.com/siderolabs/talos/pkg/machinery/config/encoder"
	"github.com/siderolabs/talos/pkg/machinery/config/validation"
)

// cloud is the mode of machines that find their configuration in the cloud they run in.
type cloud struct{}

func (cloud) String() string        { return "cloud" }
func (cloud) RequiresInstall() bool { return false }
func (cloud) InContainer() bool     { return false }

func text(provider config.Provider) (string, error) {
	out, err := provider.EncodeBytes(encoder.WithComments(encoder.CommentsDisabled))

	return string(out), err
}

type patchRequest struct {
	// Config is the text of a machine configuration.
	Config string `json:"config"`
	// Patches are texts too, applied one after the other.
	Patches []string `json:"patches"`
}

// patchConfig does what `talosctl machineconfig patch` does, and reads and writes the result once more
// where that left it as a JSON patch wrote it, as a machine does.
func patchConfig(request patchRequest) (any, error) {
	patches, err := loadPatches(request.Patches)
	if err != nil {
		return nil, err
	}

	patched, err := configpatcher.Apply(configpatcher.WithBytes([]byte(request.Config)), patches)
	if err != nil {
		return nil, err
	}

	provider, err := patched.Config()
	if err != nil {
		return nil, err
	}

	return text(provider)
}

// loadPatches reads patches the way talosctl reads those it has read from files.
func loadPatches(texts []string) ([]configpatcher.Patch, error) {
	patches := make([]configpatcher.Patch, 0, len(texts))

	for _, patch := range texts {
		loaded, err := configpatcher.LoadPatch([]byte(patch))
		if err != nil {
			return nil, err
		}

		patches = append(patches, loaded)
	}

	return patches, nil
}

type configRequest struct {
	// Config is the text of a machine configuration.
	Config string `json:"config"`
	// Strict makes warnings refusals.
	Strict bool `json:"strict"`
}

// validateConfig does what `talosctl validate --mode cloud` does; the result is its warnings.
func validateConfig(request configRequest) (any, error) {
	provider, err := configloader.NewFromBytes([]byte(request.Config))
	if err != nil {
		return nil, err
	}

	options := []validation.Option{validation.WithLocal()}
	if request.Strict {
		options = append(options, validation.WithStrict())
	}

	warnings, err := provider.Validate(cloud{}, options...)
	if err != nil {
		return nil, err
	}

	return append([]string{}, warnings...), nil
}

// encode reads a configuration and writes it again.
func encode(request configRequest) (any, error) {
	provider, err := configloader.NewFromBytes([]byte(request.Config))
	if err != nil {
		return nil, err
	}

	return text(provider)
}
