//go:build kubelet

package main

import (
	"encoding/json"
	"os"
	"reflect"

	kubelet "k8s.io/kubelet/config/v1beta1"
)

func main() {
	types := generator{}
	root := types.expression(reflect.TypeFor[kubelet.KubeletConfiguration]())

	if err := json.NewEncoder(os.Stdout).Encode(map[string]any{"root": root, "types": types}); err != nil {
		panic(err)
	}
}
