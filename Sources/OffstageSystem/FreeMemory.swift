internal import OffstageLibc

/// Makes all threads share the memory that they have freed, in a process that serves many users. With
/// glibc, that of one thread is of no use to another otherwise. Call it before other threads start.
package func shareFreeMemory() { offstage_share_free_memory() }

package func returnFreeMemory() { offstage_return_free_memory() }
