// Package postgresql stands where Temporal's storage in PostgreSQL would: an embedded server has SQLite.
package postgresql

const (
	PluginName    = "postgres12"
	PluginNamePGX = "postgres12_pgx"
)
